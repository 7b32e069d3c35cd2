"""The scheduler: creates one message per tick of a schedule, however many schedulers run.

After a downtime only the latest missed tick is created; earlier ones are skipped. A new or resumed schedule starts with its
next tick. With an external clock, the scheduler creates the ticks that the clock missed.
"""

from datetime import datetime, timedelta

import structlog

from sightline.db import Database
from sightline.errors import Conflict, InvalidInput
from sightline.messages.create import Messages
from sightline.messages.message import Channel
from sightline.messages.schedules import store
from sightline.messages.schedules.store import Schedule
from sightline.messages.schedules.ticks import make_tick
from sightline.messages.wording import notification_request
from sightline.schedule_expressions import parse_schedule
from sightline.supervisor import Every, NextRun
from sightline.timing import Backoff, Clock, utc_now

LOOK_AGAIN_S = 5.0  # a new schedule is noticed by then
# EventBridge calls within a minute of the tick; after this it is not expected to call.
EXTERNAL_CLOCK_GRACE = timedelta(minutes=2)
HELLO = "scheduled_hello"

log = structlog.get_logger(__name__)


class MessageScheduler:
    def __init__(
        self,
        database: Database,
        messages: Messages,
        *,
        hello_every_h: int = 0,
        channel: Channel = "log",
        external_clock_grace: timedelta = timedelta(),
        clock: Clock = utc_now,
    ) -> None:
        """`external_clock_grace` is how long a tick is left to an external clock."""
        self._database = database
        self._messages = messages
        self._hello_every_h = hello_every_h
        self._channel = channel
        self._external_clock_grace = external_clock_grace
        self._clock = clock
        self._has_hello = False

    def service(self) -> Every:
        return Every("message-scheduler", LOOK_AGAIN_S, self.run_due, backoff=Backoff(first_s=1.0, max_s=10.0))

    async def run_due(self) -> NextRun:
        """Creates the messages of all schedules that are due."""
        if not self._has_hello:
            await self.ensure_hello()
            self._has_hello = True
        while await self.tick() is not None:
            pass
        return NextRun(await self._until_next())

    async def ensure_hello(self) -> None:
        """Creates the document's own schedule unless it exists or is switched off."""
        if self._hello_every_h == 0:
            return
        now = self._clock()
        unit = "hour" if self._hello_every_h == 1 else "hours"
        async with self._database.transaction() as tx:
            await store.add(
                tx,
                name=HELLO,
                expression=f"rate({self._hello_every_h} {unit})",
                zone="UTC",
                message_type=HELLO,
                payload={"message": "All is well."},
                notification=notification_request(
                    HELLO, {"message": "All is well."}, channel=self._channel, target=None, priority="low"
                ),
                owner_id=None,
                anchor=now,
                next_tick=now + timedelta(hours=self._hello_every_h),
            )

    async def tick(self) -> str | None:
        """Creates the message of one due schedule; returns its id, or None if none is due."""
        now = self._clock()
        async with self._database.transaction() as tx:
            schedule = await store.due(tx, now - self._external_clock_grace)
            if schedule is None:
                return None
            tick = await make_tick(tx, self._messages, schedule, now=now)
        await self._messages.store.ensure_stored(tick.message_id)
        if self._external_clock_grace:
            log.warning("message_scheduler.clock_stalled", schedule=tick.schedule, tick=tick.at.isoformat())
        log.info(
            "message_scheduler.ticked", schedule=tick.schedule, tick=tick.at.isoformat(), message_id=tick.message_id
        )
        return tick.message_id

    async def _until_next(self) -> float:
        async with self._database.transaction() as tx:
            due = await store.next_due(tx)
        if due is None:
            return LOOK_AGAIN_S
        return min(max((due + self._external_clock_grace - self._clock()).total_seconds(), 0.01), LOOK_AGAIN_S)


def first_tick(expression: str, zone: str, *, now: datetime) -> datetime:
    """The first tick of a schedule that starts now, or `InvalidInput` with the reason."""
    found = parse_schedule(expression, zone, anchor=now).next_after(now)
    if found is None:
        raise InvalidInput(f"{expression!r} has no tick in the future")
    return found


def already_there(name: str) -> Conflict:
    return Conflict(f"a schedule named {name!r} exists already; choose another name")


def next_of(schedule: Schedule, *, now: datetime) -> datetime | None:
    return schedule.ticks.next_after(now)
