"""Store of schedules."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import NotFound
from sightline.messages.message import NotificationRequest
from sightline.schedule_expressions import Ticks, parse_schedule

State = Literal["active", "paused", "finished"]

_sql = load_queries(Path(__file__).with_name("schedules.sql"))


@dataclass(frozen=True, slots=True)
class Schedule:
    schedule_id: UUID
    name: str
    expression: str
    zone: str
    message_type: str
    payload: Mapping[str, Any]
    notification: NotificationRequest
    owner_id: UUID | None
    state: State
    anchor: datetime
    next_tick: datetime | None
    last_tick: datetime | None
    created_at: datetime
    updated_at: datetime

    @property
    def ticks(self) -> Ticks:
        return parse_schedule(self.expression, self.zone, anchor=self.anchor)


async def add(
    tx: Transaction,
    *,
    name: str,
    expression: str,
    zone: str,
    message_type: str,
    payload: Mapping[str, Any],
    notification: NotificationRequest,
    owner_id: UUID | None,
    anchor: datetime,
    next_tick: datetime,
) -> Schedule | None:
    """None if its owner has one of that name."""
    row = await _sql["add"].row(
        tx,
        name=name,
        expression=expression,
        zone=zone,
        message_type=message_type,
        payload=dict(payload),
        notification=notification.to_json(),
        owner_id=owner_id,
        anchor=anchor,
        next_tick=next_tick,
    )
    return None if row is None else _schedule(row)


async def existing(tx: Transaction, schedule_id: UUID) -> Schedule:
    row = await _sql["get"].row(tx, schedule_id=schedule_id)
    if row is None:
        raise unknown_schedule(schedule_id)
    return _schedule(row)


async def find(tx: Transaction, *, owner_id: UUID | None, limit: int = 1000) -> list[Schedule]:
    return [_schedule(row) for row in await _sql["find"].rows(tx, owner_id=owner_id, limit=limit)]


async def due(tx: Transaction, now: datetime) -> Schedule | None:
    row = await _sql["due"].row(tx, now=now)
    return None if row is None else _schedule(row)


async def due_of(tx: Transaction, schedule_id: UUID, now: datetime) -> Schedule | None:
    row = await _sql["due_of"].row(tx, schedule_id=schedule_id, now=now)
    return None if row is None else _schedule(row)


async def unfinished(tx: Transaction) -> list[Schedule]:
    return [_schedule(row) for row in await _sql["unfinished"].rows(tx)]


async def next_due(tx: Transaction) -> datetime | None:
    found: datetime | None = await _sql["next_due"].value(tx)
    return found


async def moved_on(tx: Transaction, schedule: Schedule, *, tick: datetime, next_tick: datetime | None) -> None:
    await _sql["moved_on"].run(tx, schedule_id=schedule.schedule_id, tick=tick, next_tick=next_tick)


async def pause(tx: Transaction, schedule_id: UUID) -> bool:
    return await _sql["pause"].row(tx, schedule_id=schedule_id) is not None


async def resume(tx: Transaction, schedule_id: UUID, *, next_tick: datetime | None) -> bool:
    return await _sql["resume"].row(tx, schedule_id=schedule_id, next_tick=next_tick) is not None


async def remove(tx: Transaction, schedule_id: UUID) -> bool:
    return await _sql["remove"].run(tx, schedule_id=schedule_id) == 1


def unknown_schedule(schedule_id: object) -> NotFound:
    return NotFound(f"no schedule {schedule_id}", code="SCHEDULE_NOT_FOUND")


def _schedule(row: asyncpg.Record) -> Schedule:
    values = dict(row)
    values["notification"] = NotificationRequest.model_validate(values["notification"])
    return Schedule(**values)
