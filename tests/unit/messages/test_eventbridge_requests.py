"""What EventBridge Scheduler is told of a schedule, and which moment its calls mean."""

from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import UUID

import pytest
from pydantic import ValidationError

from sightline.bus import BusSettings
from sightline.contracts.schedule_events import ScheduleDue, parse_schedule_due
from sightline.db import Database
from sightline.errors import ConfigurationError, InvalidInput
from sightline.messages import MessagesSettings, NotificationRequest
from sightline.messages.schedules.due_consumer import present
from sightline.messages.schedules.eventbridge_clock import open_eventbridge_clock
from sightline.messages.schedules.eventbridge_requests import call_text, mark_of, schedule_request, whole_second
from sightline.messages.schedules.store import Schedule

START = datetime(2026, 1, 14, 10, 0, 0, 250_000, tzinfo=UTC)
HOUR = timedelta(hours=1)
ID = UUID("2f1c3a52-0d4b-4c58-9f52-6f9d3a1c5e02")


def _schedule(**changes: Any) -> Schedule:
    usual: dict[str, Any] = {
        "schedule_id": ID,
        "name": "s",
        "expression": " rate(1 hour) ",
        "zone": "UTC",
        "message_type": "x",
        "payload": {"secret": "never there"},
        "notification": NotificationRequest(),
        "owner_id": None,
        "state": "active",
        "anchor": START,
        "next_tick": START + HOUR,
        "last_tick": None,
        "created_at": START,
        "updated_at": START,
    }
    return Schedule(**(usual | changes))


def _request(schedule: Schedule, now: datetime) -> dict[str, Any]:
    return schedule_request(schedule, group="g", queue_arn="q", role_arn="r", now=now)


def test_a_rate_starts_with_the_next_tick_of_ours_and_never_before_it():
    assert _request(_schedule(), START)["StartDate"] == datetime(2026, 1, 14, 11, 0, 1, tzinfo=UTC)
    assert _request(_schedule(), START + 5 * HOUR)["StartDate"] == datetime(2026, 1, 14, 16, 0, 1, tzinfo=UTC)
    assert "StartDate" not in _request(_schedule(expression="cron(0 9 * * ? *)"), START)
    assert "StartDate" not in _request(_schedule(expression="at(2027-01-01T00:00:00)"), START)


def test_the_payload_stays_with_us():
    request = _request(_schedule(), START)
    assert "never there" not in str(request)
    assert request["ScheduleExpression"] == "rate(1 hour)"


def test_a_tick_changes_nothing_there_and_a_pause_does():
    schedule = _schedule()
    assert mark_of(_schedule(next_tick=START + 2 * HOUR, last_tick=START + HOUR)) == mark_of(schedule)
    assert mark_of(_schedule(state="paused", next_tick=None)) != mark_of(schedule)
    assert _request(_schedule(state="paused", next_tick=None), START)["State"] == "DISABLED"


def test_whole_seconds_are_rounded_up():
    assert whole_second(START) == START.replace(second=1, microsecond=0)
    assert whole_second(START.replace(microsecond=0)) == START.replace(microsecond=0)


def test_a_late_call_means_its_own_tick_and_one_from_long_ago_the_present():
    due = ScheduleDue(schedule_id=ID, scheduled_time=START)
    assert present(due, START + timedelta(seconds=75)) == START
    assert present(due, START - timedelta(seconds=5)) == START
    assert present(due, START + HOUR) == START + HOUR
    assert present(due, START - HOUR) == START - HOUR


def test_a_placeholder_that_was_left_as_it_is_says_no_time():
    due = ScheduleDue.model_validate_json(call_text(ID))
    assert (due.schedule_id, due.scheduled_time) == (ID, None)
    assert present(due, START) == START


@pytest.mark.parametrize("time", ["soon", "2026-01-14T10:00:00", 10**30])
def test_a_time_that_is_none_is_refused_by_name(time: object):
    with pytest.raises(InvalidInput, match="invalid call of a schedule: scheduled_time"):
        parse_schedule_due({"schedule_id": str(ID), "scheduled_time": time})


def test_a_role_that_is_none_is_refused_at_the_start():
    with pytest.raises(ValidationError, match="eventbridge_role_arn"):
        MessagesSettings(clock="eventbridge", eventbridge_role_arn="sightline")


@pytest.mark.parametrize(
    ("keeper", "role", "missing"),
    [
        ("postgres", "arn:aws:iam::000000000000:role/r", "SIGHTLINE_BUS_BACKEND=aws"),
        ("aws", None, "SIGHTLINE_MESSAGES_EVENTBRIDGE_ROLE_ARN"),
    ],
)
async def test_the_clock_says_what_it_needs(keeper: Any, role: str | None, missing: str):
    settings = MessagesSettings(clock="eventbridge", eventbridge_role_arn=role)
    with pytest.raises(ConfigurationError, match=missing):
        async with open_eventbridge_clock(settings, BusSettings(backend=keeper), cast(Database, None)):
            pass
