"""rate(), cron() with six fields, at()."""

from datetime import UTC, datetime, timedelta

import pytest

from sightline.errors import InvalidInput
from sightline.schedule_expressions import parse_schedule

NOW = datetime(2026, 1, 14, 10, 30, tzinfo=UTC)  # a Wednesday


def _next(expression: str, zone: str = "UTC", after: datetime = NOW) -> datetime | None:
    return parse_schedule(expression, zone, anchor=NOW).next_after(after)


@pytest.mark.req(186)
@pytest.mark.parametrize(
    ("expression", "zone", "tick"),
    [
        ("rate(24 hours)", "UTC", "2026-01-15T10:30"),
        ("rate(1 minute)", "UTC", "2026-01-14T10:31"),
        ("at(2026-02-01T08:00:00)", "America/Sao_Paulo", "2026-02-01T11:00"),
        ("cron(0 12 * * ? *)", "UTC", "2026-01-14T12:00"),
        ("cron(15 10 ? * 6L 2026-2028)", "UTC", "2026-01-30T10:15"),
        ("cron(0 9 ? * MON-FRI *)", "America/Sao_Paulo", "2026-01-14T12:00"),
        ("cron(0 9 ? * 2-6 *)", "UTC", "2026-01-15T09:00"),
        ("cron(0 8 1 * ? *)", "UTC", "2026-02-01T08:00"),
        ("cron(0/15 * ? * 1 *)", "UTC", "2026-01-18T00:00"),
        ("cron(0 0 1 1 ? 2030/5)", "UTC", "2030-01-01T00:00"),
        ("cron(0 0 ? * 3#1 *)", "UTC", "2026-02-03T00:00"),
        ("cron(0 0 L * ? *)", "UTC", "2026-01-31T00:00"),
    ],
)
def test_the_next_tick(expression, zone, tick):
    assert _next(expression, zone) == datetime.fromisoformat(tick).replace(tzinfo=UTC)


@pytest.mark.req(186)
@pytest.mark.parametrize(
    "expression",
    [
        *("", "rate(0 hours)", "rate(1 hours)", "rate(2 hour)", "rate(5 weeks)", "rate(-1 hours)", "5 minutes"),
        *("cron(0 12 * * ?)", "cron(0 12 * * * *)", "cron(0 12 ? * ? *)", "cron(61 12 * * ? *)", "cron(a b c d ? f)"),
        *("cron(0 12 * * ? 1969)", "cron(0 12 ? * 8 *)", "cron(0 12 ? * 0 *)", "cron(0 12 * * ? 2030-2020)"),
        *("at(2026-02-30T00:00:00)", "at(2026-01-01)", "at(2026-01-01T00:00:00Z)", "at(tomorrow)"),
    ],
)
def test_what_is_no_schedule_is_refused(expression):
    with pytest.raises(InvalidInput, match="is not a schedule"):
        parse_schedule(expression, "UTC", anchor=NOW)


@pytest.mark.req(186)
@pytest.mark.parametrize("zone", ["Mars/Base", "", "../etc/passwd", "/etc/passwd"])
def test_what_is_no_zone_is_refused(zone):
    with pytest.raises(InvalidInput, match="unknown time zone"):
        parse_schedule("rate(1 hour)", zone, anchor=NOW)


def test_a_past_moment_and_past_years_have_no_tick():
    assert _next("at(2025-01-01T00:00:00)") is None
    assert _next("cron(0 12 * * ? 2020-2025)") is None


def test_daylight_saving_moves_the_tick_with_the_clock():
    before = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert _next("cron(0 9 * * ? *)", "Europe/Berlin", before) == datetime(2026, 3, 29, 7, tzinfo=UTC)
    assert _next("cron(0 9 * * ? *)", "Europe/Berlin", before - timedelta(days=1)) == datetime(
        2026, 3, 28, 8, tzinfo=UTC
    )


@pytest.mark.parametrize("expression", ["rate(1 minute)", "cron(* * * * ? *)"])
def test_the_latest_tick_of_a_long_span_is_found(expression):
    ticks = parse_schedule(expression, "UTC", anchor=NOW)
    until = NOW + timedelta(days=400, seconds=30)
    assert ticks.latest(after=NOW, until=until) == NOW + timedelta(days=400)
    assert ticks.latest(after=until - timedelta(seconds=10), until=until) is None


def test_a_rare_cron_is_found_too():
    ticks = parse_schedule("cron(0 0 1 1 ? *)", "UTC", anchor=NOW)
    assert ticks.latest(after=NOW, until=NOW + timedelta(days=800)) == datetime(2028, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "after", "expected"),
    [
        ("15W", "2026-08-01", "2026-08-14"),  # the 15th is a Saturday
        ("16W", "2026-08-01", "2026-08-17"),  # a Sunday
        ("1W", "2026-08-01", "2026-08-03"),  # a Saturday that begins its month
        ("31W", "2027-01-01", "2027-01-29"),  # a Sunday that ends its month
        ("31W", "2026-09-01", "2026-10-30"),  # September has no 31st
        ("14W", "2026-08-15", "2026-09-14"),
    ],
)
def test_the_weekday_nearest_to_a_day_stays_in_its_month(day, after, expected):
    start = datetime.fromisoformat(f"{after}T00:00:00+00:00")
    ticks = parse_schedule(f"cron(30 10 {day} * ? *)", "UTC", anchor=start)
    found = ticks.next_after(start)
    assert found == datetime.fromisoformat(f"{expected}T10:30:00+00:00")
    assert ticks.latest(after=start, until=found + timedelta(hours=1)) == found


def test_each_minute_of_the_nearest_weekday_is_due():
    ticks = parse_schedule("cron(* * 15W 8 ? *)", "Europe/Berlin", anchor=datetime(2026, 1, 1, tzinfo=UTC))
    first = ticks.next_after(datetime(2026, 1, 1, tzinfo=UTC))
    assert first == datetime(2026, 8, 13, 22, tzinfo=UTC)
    assert ticks.next_after(first) == datetime(2026, 8, 13, 22, 1, tzinfo=UTC)
    next_year = ticks.next_after(datetime(2026, 8, 14, 21, 59, tzinfo=UTC))
    assert next_year == datetime(2027, 8, 15, 22, tzinfo=UTC)  # the 15th is a Sunday
