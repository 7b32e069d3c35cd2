"""The warnings: each owner whose use changed is compared with the quotas once, in one transaction with the notification."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import structlog

from sightline.byte_sizes import bytes_text
from sightline.db import Database, Transaction, load_queries
from sightline.messages import EventNotifications, MessageStore
from sightline.quota_warnings.thresholds import Threshold, lasting_threshold
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now
from sightline.uploads import OwnerUsage, usage_of_owner
from sightline.usage import Month, QuotasInForce, request_checks

CHECK_EVERY_S = 15.0
LOOK_AGAIN_S = 300.0
_MS_PER_MINUTE = 60_000

log = structlog.get_logger(__name__)
_sql = load_queries(Path(__file__).with_name("warnings.sql"))


@dataclass(frozen=True, slots=True)
class QuotaUse:
    quota: str
    period: str
    used: int
    limit: int

    @property
    def texts(self) -> tuple[str, str]:
        if self.quota == "storage_bytes":
            return bytes_text(self.used), bytes_text(self.limit)
        return str(self.used), str(self.limit)


class QuotaWarnings:
    """Killed half-way, a check is done again, and nobody is notified twice: the warning commits with its messages."""

    def __init__(
        self,
        database: Database,
        notifications: EventNotifications,
        messages: MessageStore,
        quotas_of: Callable[[Transaction, UUID], Awaitable[QuotasInForce]],
        *,
        page_url: str,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._notifications = notifications
        self._messages = messages
        self._quotas_of = quotas_of
        self._page_url = page_url.rstrip("/")
        self._clock = clock

    def service(self) -> Every:
        return Every("quota-warnings", CHECK_EVERY_S, self.check)

    async def check(self) -> int:
        """Checks every owner that is due; returns how many. One that fails is checked again later."""
        checked = 0
        while await self._check_one():
            checked += 1
        return checked

    async def _check_one(self) -> bool:
        owner_id: UUID | None = None
        try:
            async with self._database.transaction() as tx:
                if (owner_id := await _sql["take_check"].value(tx)) is None:
                    return False
                created = await self._check_owner(tx, owner_id)
        except Exception:
            if owner_id is None:
                raise
            # The other owners do not wait for the one that cannot be checked.
            log.exception("quota_warning.failed", owner_id=str(owner_id))
            async with self._database.transaction() as tx:
                await _sql["postpone"].run(tx, owner_id=owner_id, seconds=LOOK_AGAIN_S)
            return True
        for message_id in created:
            await self._messages.ensure_stored(message_id)
        return True

    async def _check_owner(self, tx: Transaction, owner_id: UUID) -> list[str]:
        """Returns the ids of the messages that were created."""
        quotas = await self._quotas_of(tx, owner_id)
        known = {row["quota"]: row for row in await _sql["thresholds"].rows(tx, owner_id=owner_id)}
        if not known and not quotas.has_limits:
            return []
        created: list[str] = []
        may_fall = False
        month = Month.of(self._clock())
        for use in _uses(await usage_of_owner(tx, owner_id), quotas, month):
            row = known.get(use.quota)
            before: Threshold | None = row["percent"] if row is not None and row["period"] == use.period else None
            now = lasting_threshold(before, use.used, use.limit)
            may_fall = may_fall or (now is not None and use.period == "")
            if now is None:
                if row is not None:
                    await _sql["forget"].run(tx, owner_id=owner_id, quota=use.quota)
            elif before is None or now > before:
                created += await self._warn(tx, owner_id, use, now)
            elif now < before:
                await _sql["lower"].run(tx, owner_id=owner_id, quota=use.quota, percent=now)
        if may_fall:
            await request_checks(tx, [owner_id], in_s=LOOK_AGAIN_S)
        return created

    async def _warn(self, tx: Transaction, owner_id: UUID, use: QuotaUse, threshold: Threshold) -> list[str]:
        warning_id = await _sql["raise"].value(
            tx, owner_id=owner_id, quota=use.quota, period=use.period, percent=threshold
        )
        if warning_id is None:
            return []
        used, limit = use.texts
        facts: dict[str, object] = {
            "quota": use.quota,
            "percent": use.used * 100 // use.limit,
            "used": used,
            "limit": limit,
            "click_url": f"{self._page_url}/ui/settings/usage",
        }
        log.info("quota_warning.sent", owner_id=str(owner_id), quota=use.quota, percent=threshold)
        created: list[str] = []
        for row in await _sql["recipients"].rows(tx, owner_id=owner_id):
            known = {"team_name": row["team_name"], "user_email": row["email"]}
            its = facts | {name: value for name, value in known.items() if value is not None}
            new = await self._notifications.notify(tx, "quota_warning", row["user_id"], its, key=str(warning_id))
            created += [message.message_id for message in new]
        return created


def _uses(used: OwnerUsage, quotas: QuotasInForce, month: Month) -> tuple[QuotaUse, ...]:
    return (
        QuotaUse("storage_bytes", "", used.stored_bytes, quotas.storage_bytes),
        QuotaUse("videos", "", used.videos, quotas.videos),
        QuotaUse("minutes_per_month", str(month), used.processed_ms // _MS_PER_MINUTE, quotas.minutes_per_month),
    )
