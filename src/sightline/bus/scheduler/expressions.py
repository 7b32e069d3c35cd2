"""Schedule expressions as rules and schedules of EventBridge accept them. Pure."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

from sightline.bus.limits import BusRefusal
from sightline.errors import InvalidInput
from sightline.schedule_expressions import RateExpression, Ticks, parse_schedule

_WHOLE = re.compile(r"(?:rate|cron|at)\((?:\S(?:.*\S)?)?\)")
_ONE = re.compile(r"rate\(1 (minute|hour|day)s\)")


def rule_ticks(expression: str, *, anchor: datetime) -> Ticks:
    """When a rule is due: in UTC, by rate() from its creation or by cron()."""
    refusal = BusRefusal("Parameter ScheduleExpression is not valid.", "ValidationException")
    if not _WHOLE.fullmatch(expression) or expression.startswith("at("):
        raise refusal
    try:
        return parse_schedule(expression, "UTC", anchor=anchor)
    except InvalidInput as error:
        raise refusal from error


def schedule_ticks(expression: str, zone: str, *, anchor: datetime) -> Ticks:
    """When a schedule is due. rate() is due for the first time at the anchor, not after it."""
    refusal = BusRefusal(f"Invalid Schedule Expression {expression}.", "ValidationException")
    if not _WHOLE.fullmatch(expression):
        raise refusal
    try:
        parse_schedule("rate(1 day)", zone, anchor=anchor)
    except InvalidInput as error:
        raise BusRefusal("The provided ScheduleExpressionTimezone is not valid.", "ValidationException") from error
    try:
        # Scheduler accepts a plural after one, which rules do not.
        ticks = parse_schedule(_ONE.sub(r"rate(1 \1)", expression), zone, anchor=anchor)
    except InvalidInput as error:
        raise refusal from error
    if isinstance(ticks, RateExpression):
        return replace(ticks, anchor=anchor - ticks.every)
    return ticks


def tick_at_or_after(ticks: Ticks, moment: datetime) -> datetime | None:
    return ticks.next_after(moment - timedelta(microseconds=1))
