"""Store of schedules and schedule groups."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import asyncpg

from sightline.bus.scheduler.schedule import Due, TargetSchedule
from sightline.db import Transaction, load_queries

CHANNEL = "sightline_bus_clock"
_sql = load_queries(Path(__file__).with_name("schedules.sql"))
_FIELDS = tuple(field.name for field in fields(TargetSchedule))


@dataclass(frozen=True, slots=True)
class StoredSchedule:
    schedule: TargetSchedule
    next_tick: datetime | None
    created_at: datetime
    changed_at: datetime
    client_token: str | None
    request_digest: str | None


@dataclass(frozen=True, slots=True)
class ScheduleGroup:
    account_id: str
    name: str
    tags: Mapping[str, str]
    client_token: str | None
    created_at: datetime
    changed_at: datetime


async def ensure_default_group(tx: Transaction, account_id: str) -> None:
    await _sql["ensure_group"].run(tx, account_id=account_id)


async def add_group(
    tx: Transaction, account_id: str, name: str, *, tags: Mapping[str, str], client_token: str | None
) -> ScheduleGroup | None:
    """None if the account has one of that name."""
    row = await _sql["add_group"].row(tx, account_id=account_id, name=name, tags=dict(tags), client_token=client_token)
    return None if row is None else ScheduleGroup(**row)


async def find_group(tx: Transaction, account_id: str, name: str) -> ScheduleGroup | None:
    row = await _sql["find_group"].row(tx, account_id=account_id, name=name)
    return None if row is None else ScheduleGroup(**row)


async def list_groups(tx: Transaction, account_id: str, *, after: str, prefix: str, limit: int) -> list[ScheduleGroup]:
    rows = await _sql["list_groups"].rows(tx, account_id=account_id, after=after, prefix=prefix, limit=limit)
    return [ScheduleGroup(**row) for row in rows]


async def tag_group(tx: Transaction, group: ScheduleGroup, tags: Mapping[str, str]) -> None:
    await _sql["tag_group"].run(tx, account_id=group.account_id, name=group.name, tags=dict(tags))


async def remove_group(tx: Transaction, account_id: str, name: str) -> bool:
    return await _sql["remove_group"].run(tx, account_id=account_id, name=name) == 1


async def count(tx: Transaction, account_id: str) -> tuple[int, int]:
    """Groups and schedules of an account."""
    row = await _sql["count"].row(tx, account_id=account_id)
    assert row is not None
    return row["groups"], row["schedules"]


async def add(
    tx: Transaction, schedule: TargetSchedule, due: Due | None, *, client_token: str | None, request_digest: str
) -> bool:
    """False if the group has one of that name."""
    values = _values(schedule, due)
    row = await _sql["add"].row(tx, **values, client_token=client_token, request_digest=request_digest)
    await _sql["notify"].value(tx)
    return row is not None


async def update(tx: Transaction, schedule: TargetSchedule, due: Due | None) -> bool:
    changed = await _sql["update"].run(tx, **_values(schedule, due))
    await _sql["notify"].value(tx)
    return changed == 1


async def find(tx: Transaction, account_id: str, group_name: str, name: str) -> StoredSchedule | None:
    row = await _sql["find"].row(tx, account_id=account_id, group_name=group_name, name=name)
    return None if row is None else _stored(row)


async def list_schedules(
    tx: Transaction,
    account_id: str,
    *,
    after: tuple[str, str],
    group_name: str | None,
    prefix: str,
    is_enabled: bool | None,
    limit: int,
) -> list[StoredSchedule]:
    rows = await _sql["list"].rows(
        tx,
        account_id=account_id,
        after_group=after[0],
        after_name=after[1],
        group_name=group_name,
        prefix=prefix,
        is_enabled=is_enabled,
        limit=limit,
    )
    return [_stored(row) for row in rows]


async def remove(tx: Transaction, account_id: str, group_name: str, name: str) -> bool:
    return await _sql["remove"].run(tx, account_id=account_id, group_name=group_name, name=name) == 1


async def due(tx: Transaction, now: datetime) -> StoredSchedule | None:
    row = await _sql["due"].row(tx, now=now)
    return None if row is None else _stored(row)


async def move(tx: Transaction, schedule: TargetSchedule, due: Due | None) -> None:
    await _sql["move"].run(
        tx,
        account_id=schedule.account_id,
        group_name=schedule.group_name,
        name=schedule.name,
        next_tick=None if due is None else due.tick,
        fires_at=None if due is None else due.fires_at,
    )


async def next_due(tx: Transaction) -> datetime | None:
    found: datetime | None = await _sql["next_due"].value(tx)
    return found


def _values(schedule: TargetSchedule, due: Due | None) -> dict[str, Any]:
    values = {name: getattr(schedule, name) for name in _FIELDS}
    return {
        **values,
        "target": dict(schedule.target),
        "next_tick": None if due is None else due.tick,
        "fires_at": None if due is None else due.fires_at,
    }


def _stored(row: asyncpg.Record) -> StoredSchedule:
    return StoredSchedule(
        TargetSchedule(**{name: row[name] for name in _FIELDS}),
        row["next_tick"],
        row["created_at"],
        row["changed_at"],
        row["client_token"],
        row["request_digest"],
    )
