"""Messages by the clock: one per tick, whatever runs beside and whatever was missed."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from sightline.messages import Message, MessageFilter, MessageScheduler, NotificationRequest
from sightline.messages.schedules import store
from sightline.messages.schedules.scheduler import first_tick
from support.messaging import OWNER, Messaging

START = datetime(2026, 1, 14, 10, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


async def _add(messaging: Messaging, expression: str, name: str = "s") -> store.Schedule:
    async with messaging.database.transaction() as tx:
        made = await store.add(
            tx,
            name=name,
            expression=expression,
            zone="UTC",
            message_type="x",
            payload={"a": 1},
            notification=NotificationRequest(),
            owner_id=OWNER,
            anchor=START,
            next_tick=first_tick(expression, "UTC", now=START),
        )
    assert made is not None
    return made


async def _messages(messaging: Messaging) -> list[Message]:
    return await messaging.store.find(MessageFilter(), limit=100)


def _scheduler(messaging: Messaging, clock: Clock, hello_every_h: int = 0) -> MessageScheduler:
    return MessageScheduler(messaging.database, messaging.messages, clock=clock, hello_every_h=hello_every_h)


@pytest.mark.req(144, 185)
async def test_hello_is_created_every_day_by_the_scheduler(messaging: Messaging):
    clock = Clock()
    scheduler = _scheduler(messaging, clock, hello_every_h=24)
    await scheduler.ensure_hello()
    await scheduler.ensure_hello()
    assert await scheduler.tick() is None
    for day in (1, 2):
        clock.now = START + timedelta(days=day)
        assert await scheduler.tick() is not None
        assert await scheduler.tick() is None
    found = await _messages(messaging)
    assert [(one.message_type, one.source, one.created_by) for one in found] == [
        ("scheduled_hello", "scheduler", "scheduler")
    ] * 2


@pytest.mark.req(185)
async def test_many_schedulers_create_one_message_per_tick(messaging: Messaging):
    clock = Clock()
    for number in range(5):
        await _add(messaging, "rate(1 hour)", f"s{number}")
    clock.now += timedelta(hours=1)
    schedulers = [_scheduler(messaging, clock) for _ in range(4)]

    async def exhaust(scheduler: MessageScheduler) -> int:
        made = 0
        while await scheduler.tick() is not None:
            made += 1
        return made

    assert sum(await asyncio.gather(*map(exhaust, schedulers))) == 5
    assert len(await _messages(messaging)) == 5


async def test_after_a_downtime_the_latest_missed_tick_is_made_up_for_once(messaging: Messaging):
    clock = Clock()
    made = await _add(messaging, "rate(1 hour)")
    clock.now += timedelta(hours=5, minutes=20)
    scheduler = _scheduler(messaging, clock)
    assert await scheduler.tick() is not None
    assert await scheduler.tick() is None
    async with messaging.database.transaction() as tx:
        found = await store.existing(tx, made.schedule_id)
    assert (found.last_tick, found.next_tick) == (START + timedelta(hours=5), START + timedelta(hours=6))


async def test_at_ticks_once_and_is_finished(messaging: Messaging):
    clock = Clock()
    made = await _add(messaging, "at(2026-01-14T12:00:00)")
    clock.now = datetime(2026, 1, 15, tzinfo=UTC)
    scheduler = _scheduler(messaging, clock)
    assert await scheduler.tick() is not None
    assert await scheduler.tick() is None
    async with messaging.database.transaction() as tx:
        assert (await store.existing(tx, made.schedule_id)).state == "finished"


@pytest.mark.req(186)
async def test_a_paused_schedule_makes_no_ticks_and_makes_none_up(messaging: Messaging):
    clock = Clock()
    made = await _add(messaging, "cron(0 * * * ? *)")
    scheduler = _scheduler(messaging, clock)
    async with messaging.database.transaction() as tx:
        assert await store.pause(tx, made.schedule_id)
    clock.now += timedelta(hours=3, minutes=1)
    assert await scheduler.tick() is None
    async with messaging.database.transaction() as tx:
        assert await store.resume(tx, made.schedule_id, next_tick=made.ticks.next_after(clock.now))
    assert await scheduler.tick() is None
    clock.now += timedelta(hours=1)
    assert await scheduler.tick() is not None
