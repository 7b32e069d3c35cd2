"""The default message store: the platform's database, so that a message and its event commit with what caused them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg

from sightline.bus import Sender, TopicMessage
from sightline.contracts.message_events import Stage
from sightline.db import Database, Grouped, Transaction, delete_in_batches, load_queries
from sightline.messages.announce import announcement
from sightline.messages.message import (
    LEASE_ENDED,
    STATUSES,
    Message,
    MessageHistoryEntry,
    NewMessage,
    NotificationRequest,
)
from sightline.messages.store import MessageFilter, MessageStatistics
from sightline.paging import Cursor
from sightline.timing import Clock, iso_utc, utc_now

SWEEP_BATCH = 1000

_sql = load_queries(Path(__file__).with_name("queries.sql"))


class PostgresMessageStore:
    name = "postgres"

    def __init__(self, database: Database, bus: Sender, *, region: str, clock: Clock = utc_now) -> None:
        self._database = database
        self._bus = bus
        self._region = region
        self._clock = clock
        self._additions = Grouped(self._add_group)
        self._claims = Grouped(self._claim)
        self._completions = Grouped(self._complete)

    async def add(self, tx: Transaction, new: NewMessage) -> bool:
        return (await self._add(tx, [(new, self._created_event(new))]))[0]

    async def add_and_commit(self, new: NewMessage) -> bool:
        return await self._additions.call((new, self._created_event(new)))

    def _created_event(self, new: NewMessage) -> TopicMessage:
        return announcement(new, region=self._region, at=self._clock())

    async def _add_group(self, requests: Sequence[tuple[NewMessage, TopicMessage]]) -> list[bool]:
        async with self._database.transaction() as tx:
            return await self._add(tx, requests)

    async def _add(self, tx: Transaction, requests: Sequence[tuple[NewMessage, TopicMessage]]) -> list[bool]:
        first = {
            new.message_id: (new, event) for new, event in reversed(requests)
        }  # two with the same id are one message
        rows = await _sql["add"].rows(tx, messages=[_row(new) for new, _ in first.values()])
        added = {row["message_id"] for row in rows}
        await self._bus.publish(tx, *(event for message_id, (_, event) in first.items() if message_id in added))
        return [new.message_id in added and first[new.message_id][0] is new for new, _ in requests]

    async def ensure_stored(self, message_id: str) -> None:
        """Nothing to do: the commit stored it."""

    async def get(self, message_id: str) -> Message | None:
        async with self._database.transaction() as tx:
            row = await _sql["get"].row(tx, message_id=message_id)
        return None if row is None else _message(row)

    async def find(self, criteria: MessageFilter, *, limit: int, before: Cursor[str] | None = None) -> list[Message]:
        query = "find" if criteria.status in (None, "completed") else "find_unsent"
        async with self._database.transaction() as tx:
            rows = await _sql[query].rows(
                tx,
                status=criteria.status,
                stage=criteria.stage,
                message_type=criteria.message_type,
                created_by=criteria.created_by,
                owner_id=criteria.owner_id,
                created_after=criteria.created_after,
                created_before=criteria.created_before,
                before_at=None if before is None else before.at,
                before_id=None if before is None else before.id,
                limit=limit,
            )
        return [_message(row) for row in rows]

    async def claim(self, message_id: str, *, by: str, lease: timedelta) -> Message | None:
        return await self._claims.call((message_id, by, lease))

    async def complete(self, claimed: Message, *, notification_id: str, by: str) -> bool:
        return await self._completions.call((claimed.message_id, claimed.attempts, notification_id, by))

    async def _claim(self, requests: Sequence[tuple[str, str, timedelta]]) -> list[Message | None]:
        first = {one[0]: one for one in reversed(requests)}  # of two requests for one message, the first gets it
        ids, names, leases = zip(*sorted(first.values()), strict=True)
        async with self._database.statement() as tx:
            rows = await _sql["claim"].rows(
                tx, message_ids=list(ids), by=list(names), leases=list(leases), taken_over=LEASE_ENDED
            )
        claimed = {row["message_id"]: _message(row) for row in rows}
        return [claimed.pop(message_id, None) for message_id, _, _ in requests]

    async def _complete(self, requests: Sequence[tuple[str, int, str, str]]) -> list[bool]:
        first = {one[0]: one for one in reversed(requests)}
        ids, attempts, notification_ids, names = zip(*sorted(first.values()), strict=True)
        async with self._database.statement() as tx:
            rows = await _sql["complete"].rows(
                tx,
                message_ids=list(ids),
                attempts=list(attempts),
                notification_ids=list(notification_ids),
                by=list(names),
            )
        done = {row["message_id"] for row in rows}
        return [one[0] in done and first[one[0]] is one for one in requests]

    async def fail(self, claimed: Message, *, error: str, by: str) -> bool:
        async with self._database.transaction() as tx:
            done = await _sql["fail"].run(
                tx, message_id=claimed.message_id, attempt=claimed.attempts, error=error, by=by
            )
        return done == 1

    async def postpone(self, tx: Transaction, claimed: Message, *, reason: str, by: str) -> bool:
        done = await _sql["postpone"].run(
            tx, message_id=claimed.message_id, attempt=claimed.attempts, reason=reason, by=by
        )
        return done == 1

    async def requeue(self, tx: Transaction, message_id: str, *, by: str) -> bool:
        row = await _sql["requeue"].row(tx, message_id=message_id, by=by)
        if row is None:
            return False
        await self._bus.publish(tx, announcement(_message(row), region=self._region, at=self._clock()))
        return True

    async def statistics(self, *, since: datetime, stage: Stage) -> MessageStatistics:
        async with self._database.transaction() as tx:
            rows = await _sql["statistics"].rows(tx, since=since, stage=stage)
        found = {row["status"]: row["messages"] for row in rows}
        average = next((row["average_s"] for row in rows if row["status"] == "completed"), None)
        return MessageStatistics({status: found.get(status, 0) for status in STATUSES}, average)

    async def sweep(self) -> int:
        return await delete_in_batches(
            self._database, lambda tx, limit: _sql["sweep"].run(tx, limit=limit), batch=SWEEP_BATCH
        )

    async def check(self) -> None:
        async with self._database.transaction() as tx:
            await _sql["check"].value(tx)


def _row(new: NewMessage) -> dict[str, Any]:
    return {
        "message_id": new.message_id,
        "message_type": new.message_type,
        "stage": new.stage,
        "source": new.source,
        "created_by": new.created_by,
        "owner_id": None if new.owner_id is None else str(new.owner_id),
        "correlation_id": new.correlation_id,
        "payload": dict(new.payload),
        "notification": new.notification.to_json(),
        "created_date": new.created_date.isoformat(),
        "history": [MessageHistoryEntry(status="created", at=iso_utc(new.created_date), by=new.created_by).to_json()],
        "ttl": new.ttl,
    }


def _message(row: asyncpg.Record) -> Message:
    values = dict(row)
    values["notification"] = NotificationRequest.model_validate(values["notification"])
    values["history"] = tuple(MessageHistoryEntry.model_validate(step) for step in values["history"])
    return Message(**values)
