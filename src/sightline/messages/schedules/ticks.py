"""Ticks of schedules: creates the message and sets when the next one is due, in one transaction.

The row decides whether a tick is due, not the clock that reports it: a created tick is no longer due, so a second report creates
no second message.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sightline.db import Transaction
from sightline.messages.create import SCHEDULER, Messages, id_for
from sightline.messages.schedules import store
from sightline.messages.schedules.store import Schedule
from sightline.observability import work_context


@dataclass(frozen=True, slots=True)
class Tick:
    message_id: str
    schedule: str
    at: datetime


async def make_tick(tx: Transaction, messages: Messages, schedule: Schedule, *, now: datetime) -> Tick:
    """Creates the latest tick until now of a due schedule that the transaction has locked; earlier ones are skipped."""
    assert schedule.next_tick is not None
    ticks = schedule.ticks
    at = ticks.latest(after=schedule.next_tick - timedelta(microseconds=1), until=now) or schedule.next_tick
    message_id = id_for("tick", schedule.schedule_id, at.timestamp())
    with work_context(correlation_id=message_id):
        await messages.create(
            tx,
            message_type=schedule.message_type,
            payload=schedule.payload,
            notification=schedule.notification,
            source=SCHEDULER,
            created_by=SCHEDULER,
            owner_id=schedule.owner_id,
            message_id=message_id,
        )
    await store.moved_on(tx, schedule, tick=at, next_tick=ticks.next_after(max(at, now)))
    return Tick(message_id, schedule.name, at)
