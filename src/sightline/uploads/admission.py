"""Admission of uploads: an upload that exceeds a quota of its owner, or does not fit on the disk, is refused before it begins."""

from collections.abc import Callable, Iterator
from uuid import UUID

import structlog
from prometheus_client import CollectorRegistry, Counter

from sightline.byte_sizes import bytes_text
from sightline.db import Transaction
from sightline.errors import QuotaExceeded
from sightline.objects import ObjectStore, not_enough_space
from sightline.timing import iso_utc, utc_now
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.store import OwnerUsage, announced_bytes, lock_admission, usage_of_owner, use_of_video
from sightline.usage import Month, QuotasInForce, quotas_in_force

MS_PER_MINUTE = 60_000

log = structlog.get_logger(__name__)


class UploadAdmission:
    def __init__(
        self, objects: ObjectStore, settings: UploadsSettings, *, registry: CollectorRegistry | None = None
    ) -> None:
        self._objects = objects
        self._settings = settings
        self._refused = Counter(
            "sightline_uploads_refused_total", "Uploads that were refused, by reason.", ["reason"], registry=registry
        )

    async def lock(self, tx: Transaction, owner_id: UUID) -> None:
        """Other admissions wait until this transaction ends: two uploads must not be given the same space."""
        if await self._objects.usable_bytes() is not None or (await self.quotas_of(tx, owner_id)).has_limits:
            await lock_admission(tx)

    async def quotas_of(self, tx: Transaction, owner_id: UUID) -> QuotasInForce:
        return await quotas_in_force(tx, owner_id, self._settings.quotas)

    async def check(self, tx: Transaction, owner_id: UUID, size: int | None) -> None:
        """Raises `QuotaExceeded` or `StorageFull`. An upload of unknown size is refused only if nothing would fit."""
        quotas = await self.quotas_of(tx, owner_id)
        if quotas.has_limits:
            used = await usage_of_owner(tx, owner_id)
            for reason, message, details in exceeded_quotas(quotas, used, size or 0, Month.of(utc_now())):
                self._refuse(reason, owner_id, size)
                raise QuotaExceeded(message, details=details)
        await self.check_space(tx, size, owner_id=owner_id)

    async def admit_move(self, tx: Transaction, video_id: UUID, owner_id: UUID) -> None:
        """Raises `QuotaExceeded` if a video that moves to this owner exceeds what the owner may have. Uploads wait until the
        transaction ends, and other moves."""
        quotas = await self.quotas_of(tx, owner_id)
        if not quotas.has_limits:
            return
        await lock_admission(tx)
        found = await use_of_video(tx, video_id)
        if found is None:
            return
        size, is_open = found
        used = await usage_of_owner(tx, owner_id)
        for reason, message, details in exceeded_quotas(quotas, used, size, Month.of(utc_now())):
            if is_open or reason != "quota_open_uploads":
                raise QuotaExceeded(message, details=details)

    async def check_space(self, tx: Transaction, size: int | None, *, owner_id: UUID | None = None) -> None:
        """Raises `StorageFull` if the bytes do not fit beside those that unfinished uploads have yet to send."""
        usable = await self.usable_bytes(tx)
        if usable is not None and usable < max(1, size or 0):
            self._refuse("space", owner_id, size)
            raise not_enough_space(size or 0, usable)

    async def usable_bytes(self, tx: Transaction) -> int | None:
        """What new uploads may use of the disk; None if there is no limit."""
        free = await self._objects.usable_bytes()
        return None if free is None else max(0, free - await announced_bytes(tx))

    def _refuse(self, reason: str, owner_id: UUID | None, size: int | None) -> None:
        self._refused.labels(reason).inc()
        log.info("upload.not_admitted", reason=reason, owner_id=None if owner_id is None else str(owner_id), bytes=size)


def exceeded_quotas(
    quotas: QuotasInForce, used: OwnerUsage, size: int, month: Month
) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Reason, message and details of each quota that an upload of this size would exceed. Pure."""
    number: Callable[[int], str] = str
    for reason, limit, present, more, text, remedy in (
        ("quota_bytes", quotas.storage_bytes, used.stored_bytes, size, bytes_text, "Delete videos to make room."),
        ("quota_videos", quotas.videos, used.videos, 1, number, "Delete a video first."),
        (
            "quota_open_uploads",
            quotas.open_uploads,
            used.open_uploads,
            1,
            number,
            "Finish or cancel one of them first.",
        ),
    ):
        if limit and present + more > limit:
            what = {"quota_bytes": "storage", "quota_videos": "videos", "quota_open_uploads": "unfinished uploads"}
            needs = f", this file needs {text(more)}" if reason == "quota_bytes" else ""
            message = f"Quota exceeded: {text(present)} of {text(limit)} {what[reason]} used{needs}. {remedy}"
            yield reason, message, {"quota": reason, "limit": limit, "used": present, "needed": more}
    limit, minutes = quotas.minutes_per_month, used.processed_ms // MS_PER_MINUTE
    if limit and minutes >= limit:
        message = (
            f"Quota exceeded: {minutes} of {limit} minutes of video processed this month. Uploads are accepted again from "
            f"{month.after} (UTC)."
        )
        details = {"quota": "quota_minutes_per_month", "limit": limit, "used": minutes, "needed": 0}
        yield "quota_minutes_per_month", message, details | {"resets_at": iso_utc(month.resets_at)}
