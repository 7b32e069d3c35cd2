"""Store of the audit log."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.access.audit.entry import AuditEntry, AuditEvent
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("audit.sql"))


async def lock_chain(tx: Transaction) -> AuditEntry | None:
    """Makes this transaction the only writer until it ends; returns the newest entry."""
    await _sql["lock"].run(tx)
    return await newest_entry(tx)


async def newest_entry(tx: Transaction) -> AuditEntry | None:
    row = await _sql["head"].row(tx)
    return None if row is None else _entry(row)


async def append_entries(tx: Transaction, entries: Sequence[AuditEntry]) -> None:
    await _sql["append"].run(tx, **_columns(entries))


async def append_after(tx: Transaction, last: AuditEntry, entries: Sequence[AuditEntry]) -> bool:
    """For a transaction of its own. False if another entry has followed the given one already."""
    try:
        added = await _sql["append_after"].run(tx, **_columns(entries), last=last.number, last_hash=last.hash)
    except asyncpg.UniqueViolationError:
        return False
    return added == len(entries)


def _columns(entries: Sequence[AuditEntry]) -> dict[str, list[Any]]:
    return {
        "numbers": [entry.number for entry in entries],
        "times": [entry.at for entry in entries],
        "actions": [entry.event.action for entry in entries],
        "outcomes": [entry.event.outcome for entry in entries],
        "actor_ids": [entry.event.actor_id for entry in entries],
        "actors": [entry.event.actor for entry in entries],
        "vias": [entry.event.via for entry in entries],
        "targets": [entry.event.target for entry in entries],
        "details": [dict(entry.event.details) for entry in entries],
        "correlation_ids": [entry.event.correlation_id for entry in entries],
        "previous_hashes": [entry.previous_hash for entry in entries],
        "hashes": [entry.hash for entry in entries],
    }


async def entries_after(
    tx: Transaction, number: int, *, limit: int, since: datetime | None = None, until: datetime | None = None
) -> list[AuditEntry]:
    """In the order of the chain."""
    return [
        _entry(row) for row in await _sql["oldest_first"].rows(tx, after=number, since=since, until=until, limit=limit)
    ]


async def find_entries(
    tx: Transaction,
    *,
    limit: int,
    before: int | None = None,
    actor_id: UUID | None = None,
    action: str | None = None,
    target: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[AuditEntry]:
    """Newest first."""
    rows = await _sql["newest_first"].rows(
        tx, before=before, actor_id=actor_id, action=action, target=target, since=since, until=until, limit=limit
    )
    return [_entry(row) for row in rows]


async def entries_about(tx: Transaction, person: UUID, names: Sequence[str], *, limit: int) -> list[AuditEntry]:
    """Some entries that name the person as the actor, as the target or in their details."""
    rows = await _sql["about_person"].rows(tx, person=person, names=list(names), limit=limit)
    return [_entry(row) for row in rows]


async def replace_people(tx: Transaction, entries: Sequence[AuditEntry]) -> None:
    await _sql["pseudonymize"].value(
        tx,
        numbers=[entry.number for entry in entries],
        actor_ids=[entry.event.actor_id for entry in entries],
        actors=[entry.event.actor for entry in entries],
        targets=[entry.event.target for entry in entries],
        details=[dict(entry.event.details) for entry in entries],
        replaced_hashes=[entry.replaced_hash for entry in entries],
    )


async def last_expirable(tx: Transaction, before: datetime) -> AuditEntry | None:
    row = await _sql["expirable"].row(tx, before=before)
    return None if row is None else _entry(row)


async def expire_entries(tx: Transaction, through: int) -> int:
    removed: int = await _sql["expire"].value(tx, through=through)
    return removed


def _entry(row: asyncpg.Record) -> AuditEntry:
    event = AuditEvent(
        action=row["action"],
        via=row["via"],
        actor_id=row["actor_id"],
        actor=row["actor"],
        target=row["target"],
        outcome=row["outcome"],
        details=row["details"],
        correlation_id=row["correlation_id"],
    )
    return AuditEntry(row["number"], row["at"], event, row["previous_hash"], row["hash"], row["replaced_hash"])
