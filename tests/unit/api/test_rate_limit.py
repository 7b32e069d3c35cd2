"""The token bucket, on a clock that the tests turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.api.auth import rate_limit
from sightline.api.auth.rate_limit import RateLimit
from sightline.errors import Throttled
from support.hand_clock import HandClock


def _taken_at_once(limit: RateLimit, caller: str = "ann", most: int = 100_000) -> int:
    for taken in range(most):
        try:
            limit.take(caller)
        except Throttled:
            return taken
    return most


def test_a_tenth_of_a_minute_may_come_at_once():
    assert _taken_at_once(RateLimit(600, clock=HandClock())) == 60


def test_the_smallest_limit_still_lets_one_through():
    assert _taken_at_once(RateLimit(1, clock=HandClock())) == 1


def test_zero_is_no_limit():
    assert _taken_at_once(RateLimit(0, clock=HandClock()), most=5000) == 5000


def test_callers_do_not_use_up_each_others_share():
    limit = RateLimit(600, clock=HandClock())
    _taken_at_once(limit, "ann")
    assert _taken_at_once(limit, "ben") == 60


def test_a_pause_never_saves_up_more_than_one_burst():
    clock = HandClock()
    limit = RateLimit(600, clock=clock)
    _taken_at_once(limit)
    clock.now += 86_400
    assert _taken_at_once(limit) == 60


def test_being_refused_does_not_push_the_next_turn_away():
    clock = HandClock()
    limit = RateLimit(60, clock=clock)
    _taken_at_once(limit)
    for _ in range(9):
        clock.now += 0.1
        with pytest.raises(Throttled):
            limit.take("ann")
    clock.now += 0.2
    limit.take("ann")


def test_in_the_long_run_no_more_than_the_rate_gets_through():
    clock = HandClock()
    limit = RateLimit(600, clock=clock)
    _taken_at_once(limit)
    through = 0
    for _ in range(6000):
        clock.now += 0.01
        through += _taken_at_once(limit)
    assert through in (599, 600)


@given(per_minute=st.integers(1, 10_000), pause=st.floats(0, 120))
def test_whoever_waits_as_long_as_told_is_let_through(per_minute: int, pause: float):
    clock = HandClock()
    limit = RateLimit(per_minute, clock=clock)
    _taken_at_once(limit)
    clock.now += pause
    _taken_at_once(limit)
    with pytest.raises(Throttled) as refused:
        limit.take("ann")
    clock.now += refused.value.retry_after.total_seconds()
    limit.take("ann")


def test_memory_holds_only_so_many_callers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rate_limit, "CALLERS_REMEMBERED", 100)
    limit = RateLimit(600, clock=HandClock())
    for number in range(1000):
        limit.take(f"caller {number}")
    assert len(limit._buckets) == 100


def test_the_caller_forgotten_first_is_the_one_unseen_for_longest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rate_limit, "CALLERS_REMEMBERED", 2)
    limit = RateLimit(600, clock=HandClock())
    for caller in ("ann", "ben", "ann", "cid"):
        limit.take(caller)
    assert list(limit._buckets) == ["ann", "cid"]
