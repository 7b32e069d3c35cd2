"""Consumer of EventBridge Scheduler's calls: creates the message of a schedule that is due."""

from datetime import datetime, timedelta

import structlog

from sightline.bus import BusMetrics, Consumer, Delivery, Queues, schedule_queue
from sightline.contracts.schedule_events import ScheduleDue, parse_schedule_due
from sightline.db import Database
from sightline.messages.create import Messages
from sightline.messages.schedules import store
from sightline.messages.schedules.ticks import make_tick
from sightline.timing import Clock, utc_now

# EventBridge calls at any second of the minute, and the clocks may differ; a call further away is an old one.
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
    """The time to use: the scheduled one, so that a late call creates its own tick and leaves the next to the next call.

    After a downtime, the first old call creates the latest tick, and the others find it created.
    """
    scheduled = due.scheduled_time
    return scheduled if scheduled is not None and abs(scheduled - now) <= MAX_CLOCK_DIFFERENCE else now
