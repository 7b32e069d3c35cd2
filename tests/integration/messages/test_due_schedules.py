"""A clock outside says that a schedule is due: one message per tick, whatever it says twice, late or too early."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from conformance.aws_backend import serving
from sightline.bus import QueueMessage, schedule_queue
from sightline.contracts.schedule_events import ScheduleDue
from sightline.messages import Message, MessageFilter, MessageScheduler, NotificationRequest, due_consumer
from sightline.messages.schedules import store
from sightline.messages.schedules.eventbridge_requests import call_text
from sightline.messages.schedules.scheduler import EXTERNAL_CLOCK_GRACE
from support.messaging import OWNER, Messaging
from support.waiting import until

START = datetime(2026, 1, 14, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
QUEUE = schedule_queue("dev")


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def schedule(messaging: Messaging, clock: Clock) -> AsyncIterator[store.Schedule]:
    """Every hour from START on, with a consumer that listens to the clock outside."""
    async with messaging.database.transaction() as tx:
        made = await store.add(
            tx,
            name="hourly",
            expression="rate(1 hour)",
            zone="UTC",
            message_type="x",
            payload={},
            notification=NotificationRequest(),
            owner_id=OWNER,
            anchor=START,
            next_tick=START + HOUR,
        )
    assert made is not None
    async with serving(due_consumer(messaging.bus, messaging.database, messaging.messages, clock=clock)):
        yield made


async def _call(messaging: Messaging, *bodies: str) -> None:
    async with messaging.database.transaction() as tx:
        await messaging.bus.send(tx, QUEUE, *(QueueMessage(body) for body in bodies))

    async def is_done() -> bool:
        return await messaging.waiting(QUEUE) == 0

    await until(is_done)


def _said(schedule: store.Schedule, at: datetime) -> str:
    return ScheduleDue(schedule_id=schedule.schedule_id, scheduled_time=at).model_dump_json()


async def _messages(messaging: Messaging) -> list[Message]:
    return await messaging.store.find(MessageFilter(), limit=100)


async def _last_tick(messaging: Messaging, schedule: store.Schedule) -> datetime | None:
    async with messaging.database.transaction() as tx:
        return (await store.existing(tx, schedule.schedule_id)).last_tick


@pytest.mark.req(185)
async def test_what_is_called_twice_is_one_message(messaging: Messaging, schedule: store.Schedule, clock: Clock):
    clock.now = START + HOUR
    await _call(messaging, *[call_text(schedule.schedule_id)] * 3)
    (made,) = await _messages(messaging)
    assert (made.source, made.created_by, made.owner_id) == ("scheduler", "scheduler", OWNER)
    clock.now += HOUR
    await _call(messaging, call_text(schedule.schedule_id))
    assert len(await _messages(messaging)) == 2


async def test_a_call_that_is_early_by_our_clock_counts(messaging: Messaging, schedule: store.Schedule, clock: Clock):
    clock.now = START + HOUR - timedelta(seconds=30)
    await _call(messaging, _said(schedule, START + HOUR))
    assert len(await _messages(messaging)) == 1
    clock.now = START + HOUR
    await _call(messaging, _said(schedule, START + HOUR))
    assert len(await _messages(messaging)) == 1


async def test_a_call_before_its_time_makes_nothing(messaging: Messaging, schedule: store.Schedule, clock: Clock):
    await _call(messaging, call_text(schedule.schedule_id), _said(schedule, START + HOUR))
    assert await _messages(messaging) == []
    assert await messaging.dead(QUEUE) == []


@pytest.mark.req(186)
async def test_calls_of_paused_and_deleted_schedules_make_nothing(
    messaging: Messaging, schedule: store.Schedule, clock: Clock
):
    clock.now = START + HOUR
    async with messaging.database.transaction() as tx:
        assert await store.pause(tx, schedule.schedule_id)
    await _call(messaging, call_text(schedule.schedule_id))
    async with messaging.database.transaction() as tx:
        assert await store.remove(tx, schedule.schedule_id)
    await _call(messaging, call_text(schedule.schedule_id))
    assert await _messages(messaging) == []
    assert await messaging.dead(QUEUE) == []


async def test_calls_that_waited_out_a_downtime_make_up_for_the_latest_tick_once(
    messaging: Messaging, schedule: store.Schedule, clock: Clock
):
    clock.now = START + 5 * HOUR + timedelta(minutes=20)
    await _call(messaging, *(_said(schedule, START + number * HOUR) for number in range(1, 6)))
    assert len(await _messages(messaging)) == 1
    assert await _last_tick(messaging, schedule) == START + 5 * HOUR


@pytest.mark.parametrize("body", ["{}", '{"schedule_id": "no"}', '{"schedule_id": null}', "[]"])
async def test_what_cannot_be_read_is_a_dead_letter(messaging: Messaging, schedule: store.Schedule, body: str):
    await _call(messaging, body)
    (reason,) = await messaging.dead(QUEUE)
    assert "invalid call of a schedule: schedule_id" in reason or "not a JSON object" in reason


async def test_our_own_clock_makes_what_the_other_leaves_out(
    messaging: Messaging, schedule: store.Schedule, clock: Clock
):
    own = MessageScheduler(
        messaging.database, messaging.messages, clock=clock, external_clock_grace=EXTERNAL_CLOCK_GRACE
    )
    clock.now = START + HOUR + EXTERNAL_CLOCK_GRACE - timedelta(seconds=1)
    assert await own.tick() is None
    clock.now += timedelta(seconds=1)
    assert await own.tick() is not None
    await _call(messaging, _said(schedule, START + HOUR))
    assert len(await _messages(messaging)) == 1
