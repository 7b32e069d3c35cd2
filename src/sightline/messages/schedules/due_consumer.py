"""Listens to a clock outside: EventBridge Scheduler says that a schedule is due, and its tick is made if it is."""

from datetime import datetime, timedelta

import structlog

from sightline.bus import BusMetrics, Consumer, Delivery, Queues, schedule_queue
from sightline.contracts.schedule_events import ScheduleDue, parse_schedule_due
from sightline.db import Database
from sightline.messages.create import Messages
from sightline.messages.schedules import store
from sightline.messages.schedules.ticks import make_tick
from sightline.timing import Clock, utc_now

# That clock calls at any second of the minute, and ours may differ from it; further away, it is no tick of the present.
MAX_CLOCK_DIFFERENCE = timedelta(minutes=2)

log = structlog.get_logger(__name__)


def due_consumer(
    queues: Queues,
    database: Database,
    messages: Messages,
    *,
    clock: Clock = utc_now,
    metrics: BusMetrics | None = None,
) -> Consumer:
    async def handle(delivery: Delivery) -> None:
        due = parse_schedule_due(delivery.payload())
        now = present(due, clock())
        async with delivery.transaction() as tx:
            schedule = await store.due_of(tx, due.schedule_id, now)
            tick = None if schedule is None else await make_tick(tx, messages, schedule, now=now)
        if tick is None:
            log.info("message_scheduler.nothing_due", schedule_id=str(due.schedule_id))
            return
        await messages.store.ensure_stored(tick.message_id)
        log.info(
            "message_scheduler.ticked", schedule=tick.schedule, tick=tick.at.isoformat(), message_id=tick.message_id
        )

    return Consumer(schedule_queue(messages.stage), queues=queues, database=database, handler=handle, metrics=metrics)


def present(due: ScheduleDue, now: datetime) -> datetime:
    """The moment that counts: the one the clock means, so that a late call makes its own tick and leaves the next to the next call.

    Calls that waited out a downtime are different: the first of them makes up for the latest tick, and the others find it made.
    """
    said = due.scheduled_time
    return said if said is not None and abs(said - now) <= MAX_CLOCK_DIFFERENCE else now
