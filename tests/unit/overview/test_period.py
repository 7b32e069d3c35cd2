"""Columns of time."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from sightline.overview import PERIODS, Period, span_of

NOW = datetime(2026, 3, 4, 12, 47, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("1h", datetime(2026, 3, 4, 11, 48, tzinfo=UTC), datetime(2026, 3, 4, 12, 47, tzinfo=UTC)),
        ("24h", datetime(2026, 3, 3, 13, 0, tzinfo=UTC), datetime(2026, 3, 4, 12, 30, tzinfo=UTC)),
        ("7d", datetime(2026, 2, 25, 15, 0, tzinfo=UTC), datetime(2026, 3, 4, 12, 0, tzinfo=UTC)),
    ],
)
def test_the_last_column_holds_now_and_begins_at_a_round_time(period: Period, first: datetime, last: datetime):
    span = span_of(period, NOW)
    assert (span.first, span.last) == (first, last)
    assert span.last <= NOW < span.last + span.step


@pytest.mark.parametrize("period", PERIODS)
def test_columns_stand_side_by_side(period: Period):
    times = span_of(period, NOW).times
    assert 24 <= len(times) <= 60
    assert {later - earlier for earlier, later in itertools.pairwise(times)} == {PERIODS[period][0]}


def test_columns_stand_still_while_time_goes_on():
    assert span_of("1h", NOW) == span_of("1h", NOW + timedelta(seconds=20))
