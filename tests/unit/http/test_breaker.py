"""The circuit breaker: five failures in a minute open it, thirty seconds later one may try, two successes close it."""

import pytest

from sightline.http import CircuitBreaker, CircuitOpen


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _broken(clock: _Clock) -> CircuitBreaker:
    breaker = CircuitBreaker("ntfy", clock=clock)
    for _ in range(5):
        breaker.enter()
        breaker.failed()
    return breaker


@pytest.mark.req(188)
def test_the_fifth_failure_in_a_minute_opens_it_and_calls_fail_fast():
    clock = _Clock()
    breaker = CircuitBreaker("ntfy", clock=clock)
    for _ in range(4):
        breaker.enter()
        breaker.failed()
    assert str(breaker.state) == "closed"
    breaker.failed()
    assert str(breaker.state) == "open"
    clock.now += 10
    with pytest.raises(CircuitOpen) as caught:
        breaker.enter()
    assert caught.value.retry_after.total_seconds() == pytest.approx(20)


@pytest.mark.req(188)
def test_failures_spread_over_more_than_a_minute_do_not():
    clock = _Clock()
    breaker = CircuitBreaker("ntfy", clock=clock)
    for _ in range(20):
        breaker.failed()
        clock.now += 15.1
    assert str(breaker.state) == "closed"


@pytest.mark.req(188)
def test_after_thirty_seconds_one_may_try_and_two_successes_close_it():
    clock = _Clock()
    breaker = _broken(clock)
    clock.now += 30
    breaker.enter()
    with pytest.raises(CircuitOpen):
        breaker.enter()
    breaker.succeeded()
    assert str(breaker.state) == "half_open"
    breaker.enter()
    breaker.succeeded()
    assert str(breaker.state) == "closed"
    breaker.failed()
    assert str(breaker.state) == "closed"


@pytest.mark.req(188)
def test_a_trial_that_fails_opens_it_anew():
    clock = _Clock()
    breaker = _broken(clock)
    clock.now += 30
    breaker.enter()
    breaker.failed()
    assert str(breaker.state) == "open"
    clock.now += 29
    with pytest.raises(CircuitOpen):
        breaker.enter()


def test_a_trial_that_was_withdrawn_lets_the_next_one_try():
    clock = _Clock()
    breaker = _broken(clock)
    clock.now += 30
    breaker.enter()
    breaker.withdrawn()
    breaker.enter()
