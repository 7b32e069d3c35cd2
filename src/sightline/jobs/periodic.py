"""Periodic jobs: cron expressions in a time zone, one job per tick however many schedulers run.

After a downtime the latest missed tick is enqueued once and earlier ones are skipped. A new schedule starts with its next tick.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from cronsim import CronSim, CronSimError

from sightline.contracts.jobs import JobPayload
from sightline.db import Database, load_queries
from sightline.errors import ConfigurationError
from sightline.jobs.queue import JobQueue
from sightline.supervisor import Every, NextRun
from sightline.timing import Backoff, Clock, utc_now

MAX_WAIT_S = 60.0  # a change of the system clock is noticed after at most this long

_sql = load_queries(Path(__file__).with_name("queries.sql"))

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PeriodicJob:
    """Enqueues `make(tick)` at each tick of the expression, as clocks in the zone show it."""

    name: str
    cron: str
    make: Callable[[datetime], JobPayload]
    zone: str = "UTC"
    priority: int = 0

    def __post_init__(self) -> None:
        try:
            CronSim(self.cron, utc_now().astimezone(ZoneInfo(self.zone)))
        except CronSimError as error:
            raise ConfigurationError(f"schedule {self.name}: {self.cron!r} is no cron expression: {error}") from error
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ConfigurationError(f"schedule {self.name}: there is no time zone {self.zone!r}") from error

    def next_tick(self, after: datetime) -> datetime:
        """The first tick after this time."""
        return next(CronSim(self.cron, after.astimezone(ZoneInfo(self.zone))))

    def latest_tick(self, *, after: datetime, until: datetime) -> datetime | None:
        """The last tick after `after` and up to `until`; None if there is none."""
        # Searches near the end first, because a frequent schedule has many ticks in a long downtime.
        for reach in (timedelta(hours=1), timedelta(days=1), timedelta(days=31), until - after):
            found: datetime | None = None
            tick = self.next_tick(max(after, until - reach))
            while tick <= until:
                found = tick
                tick = self.next_tick(tick)
            if found is not None:
                return found
        return None


class Scheduler:
    """Enqueues periodic jobs when they are due."""

    def __init__(self, database: Database, schedules: Sequence[PeriodicJob], *, clock: Clock = utc_now) -> None:
        names = [schedule.name for schedule in schedules]
        if doubled := {name for name in names if names.count(name) > 1}:
            raise ConfigurationError(f"schedules with the same name: {', '.join(sorted(doubled))}")
        self._database = database
        self._queue = JobQueue(database)
        self._schedules = list(schedules)
        self._clock = clock

    def service(self) -> Every:
        return Every("scheduler", MAX_WAIT_S, self.look_at_all, backoff=Backoff(first_s=1.0, max_s=10.0))

    async def look_at_all(self) -> NextRun:
        """Enqueues what is due of every schedule; an error of one is raised after the others had their turn."""
        errors, wait_s = [], MAX_WAIT_S
        for schedule in self._schedules:
            try:
                await self.enqueue_due(schedule)
            except Exception as error:
                errors.append(error)
            until_next = (schedule.next_tick(self._clock()) - self._clock()).total_seconds()
            wait_s = min(wait_s, max(until_next, 0.01))
        if errors:
            raise errors[0]
        return NextRun(wait_s)

    async def enqueue_due(self, schedule: PeriodicJob) -> bool:
        """Enqueues the latest due tick unless another scheduler has; returns whether it did."""
        now = self._clock()
        async with self._database.transaction() as tx:
            last: datetime | None = await _sql["last_tick"].value(tx, name=schedule.name)
            if last is None:
                await _sql["tick"].value(tx, name=schedule.name, tick=now)
                return False
            tick = schedule.latest_tick(after=last, until=now)
            if tick is None or await _sql["tick"].value(tx, name=schedule.name, tick=tick) is None:
                return False
            enqueued = await self._queue.enqueue(tx, schedule.make(tick), priority=schedule.priority)
        log.info("scheduler.ticked", schedule=schedule.name, tick=tick.isoformat(), job_id=str(enqueued.id))
        return True
