"""Circuit breaker: a destination that keeps failing is left alone for a while, then tried by one. Pure but for the clock."""

import time
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Literal

from sightline.errors import Throttled

WINDOW_S = 60.0
SUCCESSES_TO_CLOSE = 2

State = Literal["closed", "half_open", "open"]


class CircuitOpen(Throttled):
    """Refused without trying, because the destination has failed too often just now."""


class CircuitBreaker:
    """Closed lets everything through; `failures` within a minute open it; after `open_s` one call at a time is a trial."""

    def __init__(
        self, destination: str, *, failures: int = 5, open_s: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.destination = destination
        self._most = failures
        self._open_s = open_s
        self._clock = clock
        self._failed: deque[float] = deque(maxlen=failures)
        self._opened_at: float | None = None
        self._successes = 0
        self._is_on_trial = False

    @property
    def state(self) -> State:
        if self._opened_at is None:
            return "closed"
        return "open" if self._clock() - self._opened_at < self._open_s else "half_open"

    def enter(self) -> None:
        """Before each try. Raises `CircuitOpen` instead of letting it through."""
        match self.state:
            case "open":
                assert self._opened_at is not None
                raise self._refusal(self._open_s - (self._clock() - self._opened_at))
            case "half_open":
                if self._is_on_trial:
                    raise self._refusal(1.0)  # somebody is trying; it will be known soon
                self._is_on_trial = True

    def succeeded(self) -> None:
        if self._opened_at is None:
            return
        self._is_on_trial = False
        self._successes += 1
        if self._successes >= SUCCESSES_TO_CLOSE:
            self._opened_at = None
            self._successes = 0
            self._failed.clear()

    def failed(self) -> None:
        now = self._clock()
        self._is_on_trial = False
        if self._opened_at is not None:
            self._opened_at, self._successes = now, 0
            return
        self._failed.append(now)
        if len(self._failed) == self._most and now - self._failed[0] <= WINDOW_S:
            self._opened_at = now

    def withdrawn(self) -> None:
        """A try that says nothing of the destination: refused for what it was, or interrupted."""
        self._is_on_trial = False

    def _refusal(self, wait_s: float) -> CircuitOpen:
        return CircuitOpen(
            f"{self.destination} has failed too often; not tried for {max(wait_s, 0.0):.0f} s",
            retry_after=timedelta(seconds=max(wait_s, 0.05)),
        )
