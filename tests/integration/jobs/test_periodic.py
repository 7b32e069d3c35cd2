"""Periodic jobs: one per tick, however many schedulers look, in the zone's own time."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from sightline.contracts.jobs import SegmentIndex
from sightline.db import Database
from sightline.errors import ConfigurationError
from sightline.jobs import PeriodicJob, Scheduler
from support.waiting import soon, until

VIDEO = UUID(int=9)
START = datetime(2026, 3, 1, 12, 0, 30, tzinfo=UTC)


def _payload(_tick: datetime) -> SegmentIndex:
    return SegmentIndex(video_id=VIDEO)


async def _jobs(database: Database) -> int:
    async with database.transaction() as tx:
        return int(await tx.fetchval("SELECT count(*) FROM jobs"))


async def _finish_all(database: Database) -> None:
    async with database.transaction() as tx:
        await tx.execute("UPDATE jobs SET status = 'processing', locked_by = 'x' WHERE status = 'queued'")
        await tx.execute("UPDATE jobs SET status = 'done' WHERE status = 'processing'")


class Clock:
    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


async def test_a_new_schedule_starts_with_its_next_tick(database: Database):
    clock = Clock(START)
    schedule = PeriodicJob("hourly", "0 * * * *", _payload)
    scheduler = Scheduler(database, [schedule], clock=clock)
    assert not await scheduler.enqueue_due(schedule)
    clock.now = START + timedelta(hours=1)
    assert await scheduler.enqueue_due(schedule)
    assert not await scheduler.enqueue_due(schedule)
    assert await _jobs(database) == 1


async def test_many_schedulers_make_one_job_per_tick(database: Database):
    clock = Clock(START)
    schedule = PeriodicJob("minutely", "* * * * *", _payload)
    schedulers = [Scheduler(database, [schedule], clock=clock) for _ in range(8)]
    await schedulers[0].enqueue_due(schedule)
    for tick in range(1, 6):
        clock.now = START + timedelta(minutes=tick)
        made = await asyncio.gather(*(scheduler.enqueue_due(schedule) for scheduler in schedulers))
        assert sum(made) == 1
        await _finish_all(database)
    assert await _jobs(database) == 5


async def test_after_a_downtime_the_latest_tick_is_made_up_for_once(database: Database):
    clock = Clock(START)
    schedule = PeriodicJob("minutely", "* * * * *", _payload)
    scheduler = Scheduler(database, [schedule], clock=clock)
    await scheduler.enqueue_due(schedule)
    clock.now = START + timedelta(days=400)
    assert await scheduler.enqueue_due(schedule)
    assert not await scheduler.enqueue_due(schedule)
    async with database.transaction() as tx:
        last = await tx.fetchval("SELECT last_tick FROM job_schedules")
    assert clock.now - last < timedelta(minutes=1)


def test_ticks_follow_the_clocks_of_their_zone_through_summer_time():
    schedule = PeriodicJob("nightly", "0 3 * * *", _payload, zone="Europe/Berlin")
    before = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)
    first = schedule.next_tick(before)
    second = schedule.next_tick(first)
    assert [tick.astimezone(UTC).hour for tick in (schedule.next_tick(before - timedelta(days=1)), first, second)] == [
        2,
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("cron", "zone", "message"),
    [
        ("61 * * * *", "UTC", "no cron expression"),
        ("nonsense", "UTC", "no cron"),
        ("* * * * *", "Mars/Base", "no time zone"),
    ],
)
def test_a_bad_expression_or_zone_is_refused_by_name(cron: str, zone: str, message: str):
    with pytest.raises(ConfigurationError, match=f"schedule x: .*{message}"):
        PeriodicJob("x", cron, _payload, zone=zone)


def test_two_schedules_of_one_name_are_refused(database: Database):
    one = PeriodicJob("same", "* * * * *", _payload)
    with pytest.raises(ConfigurationError, match="same name"):
        Scheduler(database, [one, one])


async def test_the_service_runs_until_it_is_stopped(database: Database):
    clock = Clock(START)
    scheduler = Scheduler(database, [PeriodicJob("s", "* * * * *", _payload)], clock=clock)
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(scheduler.service().run(stop, ready.set))
    await soon(ready.wait())

    async def is_known() -> bool:
        async with database.transaction() as tx:
            return await tx.fetchval("SELECT count(*) FROM job_schedules") == 1

    await until(is_known)
    stop.set()
    await soon(task)
