"""Clock and backoff."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.timing import Backoff, is_set_within, iso_utc, utc_now

CHANCES = st.floats(0, 1, exclude_max=True)


@given(failures=st.integers(-5, 10**9), chance=CHANCES)
def test_no_delay_leaves_its_bounds(failures: int, chance: float):
    backoff = Backoff(first_s=0.5, max_s=30.0, jitter=0.2)
    assert 0.5 * 0.8 <= backoff.delay_s(failures, lambda: chance) <= 30.0 * 1.2


@given(
    first=st.floats(0.001, 100),
    most=st.floats(0.001, 10_000),
    jitter=st.floats(0, 1),
    failures=st.integers(1, 10**6),
    chance=CHANCES,
)
def test_no_delay_is_negative_or_longer_than_the_longest(
    first: float, most: float, jitter: float, failures: int, chance: float
):
    delay = Backoff(first, most, jitter).delay_s(failures, lambda: chance)
    assert 0 <= delay <= most * (1 + jitter) * (1 + 1e-9)


@given(failures=st.integers(1, 200))
def test_more_failures_never_make_a_delay_shorter(failures: int):
    backoff = Backoff(jitter=0)
    assert backoff.delay_s(failures) <= backoff.delay_s(failures + 1)


def test_delays_double_up_to_the_longest():
    backoff = Backoff(first_s=1, max_s=10, jitter=0)
    assert [backoff.delay_s(failures) for failures in range(1, 7)] == [1, 2, 4, 8, 10, 10]


def test_chance_spreads_a_delay_to_both_sides():
    backoff = Backoff(first_s=10, max_s=10, jitter=0.2)
    assert (backoff.delay_s(1, lambda: 0.0), backoff.delay_s(1, lambda: 0.5)) == (8.0, 10.0)


def test_two_that_failed_together_do_not_come_back_together():
    assert len({Backoff().delay_s(3) for _ in range(20)}) > 1


def test_now_knows_its_zone():
    assert utc_now().tzinfo is UTC


@pytest.mark.req(305)
def test_a_time_is_shown_with_milliseconds_and_z():
    assert iso_utc(datetime(2026, 1, 17, 10, 0, 0, 123_999, tzinfo=UTC)) == "2026-01-17T10:00:00.123Z"


@pytest.mark.req(305)
def test_a_time_of_another_zone_is_shown_in_utc():
    berlin = timezone(timedelta(hours=1))
    assert iso_utc(datetime(2026, 1, 1, 0, 30, tzinfo=berlin)) == "2025-12-31T23:30:00.000Z"


@pytest.mark.req(305)
def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="has no time zone"):
        iso_utc(datetime(2026, 1, 17, 10, 0, 0))  # noqa: DTZ001 - that is what is refused


@pytest.mark.req(305)
@given(st.datetimes(timezones=st.timezones(), min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 28)))  # noqa: DTZ001
def test_what_is_shown_is_the_same_moment(moment: datetime):
    shown = iso_utc(moment)
    assert shown.endswith("Z")
    assert abs(datetime.fromisoformat(shown) - moment.astimezone(UTC)) < timedelta(milliseconds=1)


@pytest.mark.parametrize("turns", range(4))
async def test_a_cancellation_at_the_moment_the_event_is_set_is_not_forgotten(turns: int):
    event = asyncio.Event()
    waiting = asyncio.create_task(is_set_within(event, 60))
    await asyncio.sleep(0)
    event.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    was_in_time = waiting.cancel()
    await asyncio.wait((waiting,))
    assert waiting.cancelled() == was_in_time


async def test_an_event_is_waited_for_no_longer_than_allowed():
    event = asyncio.Event()
    assert not await is_set_within(event, 0)
    event.set()
    assert await is_set_within(event, 0)
