"""Schedules: messages created by the clock. The EventBridge clock is imported only where settings choose it."""

from sightline.messages.schedules import store
from sightline.messages.schedules.due_consumer import due_consumer
from sightline.messages.schedules.scheduler import (
    EXTERNAL_CLOCK_GRACE,
    MessageScheduler,
    already_there,
    first_tick,
    next_of,
)
from sightline.messages.schedules.store import Schedule, unknown_schedule

__all__ = [
    "EXTERNAL_CLOCK_GRACE",
    "MessageScheduler",
    "Schedule",
    "already_there",
    "due_consumer",
    "first_tick",
    "next_of",
    "store",
    "unknown_schedule",
]
