"""Schedules of EventBridge Scheduler: when they are due. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sightline.bus.names import Names
from sightline.bus.scheduler.expressions import schedule_ticks, tick_at_or_after
from sightline.schedule_expressions import Ticks

_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class TargetSchedule:
    account_id: str
    group_name: str
    name: str
    expression: str
    zone: str
    target: Mapping[str, Any]
    """As Scheduler shows it: Arn, RoleArn, Input, RetryPolicy, DeadLetterConfig, SqsParameters, EventBridgeParameters."""
    anchor: datetime
    """What rate() counts from: the start, or when it was created or changed."""
    description: str | None = None
    is_enabled: bool = True
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    window_minutes: int = 0
    deletes_itself: bool = False
    kms_key_arn: str | None = None

    def arn(self, names: Names) -> str:
        return f"arn:aws:scheduler:{names.region}:{self.account_id}:schedule/{self.group_name}/{self.name}"

    @property
    def window(self) -> timedelta:
        return timedelta(minutes=self.window_minutes)


@dataclass(frozen=True, slots=True)
class Due:
    """The next scheduled time, and when the target is called for it: within the flexible time window."""

    tick: datetime
    fires_at: datetime


def first_due(schedule: TargetSchedule, *, now: datetime, chance: Callable[[], float]) -> Due | None:
    """The first time of a schedule that was created or changed; None if it is disabled or has none."""
    if not schedule.is_enabled:
        return None
    return _due(schedule, max(now, schedule.starts_at or now) - _MOMENT, chance)


def tick_to_fire(schedule: TargetSchedule, tick: datetime, *, now: datetime) -> datetime:
    """The scheduled time that a late call is for: of several that were missed, the last alone."""
    latest = _ticks(schedule).latest(after=tick, until=min(now - schedule.window, schedule.ends_at or now))
    return latest or tick


def next_due(schedule: TargetSchedule, fired: datetime, *, now: datetime, chance: Callable[[], float]) -> Due | None:
    return _due(schedule, max(fired, now - schedule.window), chance)


def _due(schedule: TargetSchedule, after: datetime, chance: Callable[[], float]) -> Due | None:
    tick = tick_at_or_after(_ticks(schedule), after + _MOMENT)
    if tick is None or (schedule.ends_at is not None and tick > schedule.ends_at and not _is_once(schedule)):
        return None
    return Due(tick, tick + schedule.window * chance())


def _is_once(schedule: TargetSchedule) -> bool:
    """A one-time schedule ignores start and end."""
    return schedule.expression.startswith("at(")


def _ticks(schedule: TargetSchedule) -> Ticks:
    return schedule_ticks(schedule.expression, schedule.zone, anchor=schedule.anchor)
