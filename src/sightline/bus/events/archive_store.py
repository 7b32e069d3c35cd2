"""Store of archived events and of replays."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import asyncpg

from sightline.bus.events.event_routing import Archived
from sightline.db import Transaction, load_queries

CHANNEL = "sightline_bus_replays"
_sql = load_queries(Path(__file__).with_name("archives.sql"))


class ArchiveSize(NamedTuple):
    events: int
    bytes: int


class Replay(NamedTuple):
    """A replay of an archive. With `replayed_until` and `last_seq` it is resumed where it was."""

    account_id: str
    name: str
    archive: str
    archive_id: UUID
    event_bus: str
    rule_arns: tuple[str, ...]
    description: str | None
    starts_at: datetime
    ends_at: datetime
    state: str
    state_reason: str | None
    replayed_until: datetime | None
    last_seq: int
    created_at: datetime
    ended_at: datetime | None


class StoredEvent(NamedTuple):
    at: datetime
    seq: int
    event: str


async def add_events(tx: Transaction, events: Sequence[Archived]) -> None:
    await _sql["archive_events"].run(
        tx,
        archive_ids=[one.archive_id for one in events],
        times=[one.at for one in events],
        events=[one.event for one in events],
    )


async def sizes(tx: Transaction, archive_ids: Sequence[UUID]) -> dict[UUID, ArchiveSize]:
    rows = await _sql["sizes"].rows(tx, archive_ids=list(archive_ids))
    found = {row["archive_id"]: ArchiveSize(row["events"], row["bytes"]) for row in rows}
    return {archive_id: found.get(archive_id, ArchiveSize(0, 0)) for archive_id in archive_ids}


async def next_events(tx: Transaction, replay: Replay, *, limit: int) -> list[StoredEvent]:
    rows = await _sql["next_events"].rows(
        tx,
        archive_id=replay.archive_id,
        starts_at=replay.starts_at,
        ends_at=replay.ends_at,
        after=replay.replayed_until,
        after_seq=replay.last_seq,
        limit=limit,
    )
    return [StoredEvent(row["event_time"], row["seq"], row["event"]) for row in rows]


async def sweep(tx: Transaction, *, limit: int) -> int:
    """Deletes up to `limit` expired events and as many of deleted archives; returns how many."""
    expired = await _sql["expire_events"].run(tx, limit=limit)
    orphans = await _sql["remove_orphans"].run(tx, limit=limit)
    await _sql["forget_replays"].run(tx)
    return expired + orphans


async def add_replay(
    tx: Transaction,
    *,
    account_id: str,
    name: str,
    archive: str,
    archive_id: UUID,
    event_bus: str,
    rule_arns: Sequence[str],
    description: str | None,
    starts_at: datetime,
    ends_at: datetime,
) -> Replay | None:
    """None if the account has one of that name."""
    row = await _sql["add_replay"].row(
        tx,
        account_id=account_id,
        name=name,
        archive=archive,
        archive_id=archive_id,
        event_bus=event_bus,
        rule_arns=list(rule_arns),
        description=description,
        starts_at=starts_at,
        ends_at=ends_at,
    )
    await _sql["notify_replays"].value(tx)
    return None if row is None else _replay(row)


async def find_replay(tx: Transaction, account_id: str, name: str) -> Replay | None:
    row = await _sql["find_replay"].row(tx, account_id=account_id, name=name)
    return None if row is None else _replay(row)


async def list_replays(
    tx: Transaction, account_id: str, *, after: str, prefix: str, state: str | None, archive: str | None, limit: int
) -> list[Replay]:
    rows = await _sql["list_replays"].rows(
        tx, account_id=account_id, after=after, prefix=prefix, state=state, archive=archive, limit=limit
    )
    return [_replay(row) for row in rows]


async def count_running(tx: Transaction, account_id: str) -> int:
    found: int = await _sql["count_running"].value(tx, account_id=account_id)
    return found


async def cancel_replay(tx: Transaction, account_id: str, name: str) -> Replay | None:
    """None if it has ended or is being cancelled."""
    row = await _sql["cancel_replay"].row(tx, account_id=account_id, name=name)
    return None if row is None else _replay(row)


async def claim_replay(tx: Transaction) -> Replay | None:
    row = await _sql["claim_replay"].row(tx)
    return None if row is None else _replay(row)


async def move_replay(
    tx: Transaction, replay: Replay, *, state: str, reason: str | None = None, last: StoredEvent | None = None
) -> None:
    await _sql["move_replay"].run(
        tx,
        account_id=replay.account_id,
        name=replay.name,
        state=state,
        reason=reason,
        until=replay.replayed_until if last is None else last.at,
        last_seq=replay.last_seq if last is None else last.seq,
        has_ended=state in ("COMPLETED", "CANCELLED", "FAILED"),
    )


def _replay(row: asyncpg.Record) -> Replay:
    return Replay(**{**dict(row), "rule_arns": tuple(row["rule_arns"])})
