"""Requests to EventBridge Scheduler for a schedule. Pure."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sightline.contracts.schedule_events import SCHEDULED_TIME
from sightline.messages.schedules.store import Schedule
from sightline.schedule_expressions import RateExpression

Mark = tuple[object, ...]
"""Compared to find out whether a schedule has changed since it was sent."""


def mark_of(schedule: Schedule) -> Mark:
    return (schedule.name, schedule.expression, schedule.zone, schedule.state, schedule.anchor)


def name_of(schedule: Schedule) -> str:
    """The id, because a name may be reused once its schedule is deleted."""
    return str(schedule.schedule_id)


def schedule_request(schedule: Schedule, *, group: str, queue_arn: str, role_arn: str, now: datetime) -> dict[str, Any]:
    """The arguments of both create and update; an update that leaves one out would unset it."""
    request: dict[str, Any] = {
        "Name": name_of(schedule),
        "GroupName": group,
        "Description": schedule.name,
        "ScheduleExpression": schedule.expression.strip(),
        "ScheduleExpressionTimezone": schedule.zone,
        "State": "ENABLED" if schedule.state == "active" else "DISABLED",
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "Target": {"Arn": queue_arn, "RoleArn": role_arn, "Input": call_text(schedule.schedule_id)},
    }
    ticks = schedule.ticks
    if isinstance(ticks, RateExpression) and (first := ticks.next_after(now)) is not None:
        # The start of rate(); without it, EventBridge calls at once and counts from then.
        request["StartDate"] = whole_second(first)
    return request


def call_text(schedule_id: UUID) -> str:
    return json.dumps({"schedule_id": str(schedule_id), "scheduled_time": SCHEDULED_TIME})


def whole_second(moment: datetime) -> datetime:
    """EventBridge has no fractions of seconds; rounded down it would call before the tick is due."""
    cut = moment.replace(microsecond=0)
    return cut if cut == moment else cut + timedelta(seconds=1)
