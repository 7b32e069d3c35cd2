"""Circuit breaker: a destination that keeps failing is not tried for a while, then by one call at a time."""

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
    """Not tried, because the destination failed too often recently."""


class CircuitBreaker:
    """Closed allows every call; `failures` within `window_s` open it; after `open_s` it allows one call at a time."""

    def __init__(
        self,
        destination: str,
        *,
        failures: int = 5,
        window_s: float = WINDOW_S,
        open_s: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.destination = destination
        self._max_failures = failures
        self._window_s = window_s
        self._open_s = open_s
        self._clock = clock
        self._failed: deque[float] = deque(maxlen=failures)
        self._opened_at: float | None = None
        self._successes = 0
        self._has_trial = False

    @property
    def state(self) -> State:
        if self._opened_at is None:
            return "closed"
        return "open" if self._clock() - self._opened_at < self._open_s else "half_open"

    def enter(self) -> None:
        """Call before each attempt. Raises `CircuitOpen` if it is not allowed."""
        match self.state:
            case "open":
                assert self._opened_at is not None
                raise self._refusal(self._open_s - (self._clock() - self._opened_at))
            case "half_open":
                if self._has_trial:
                    raise self._refusal(1.0)  # another call is trying; its result is known soon
                self._has_trial = True

    def succeeded(self) -> None:
        if self._opened_at is None:
            return
        self._has_trial = False
        self._successes += 1
        if self._successes >= SUCCESSES_TO_CLOSE:
            self._opened_at = None
            self._successes = 0
            self._failed.clear()

    def failed(self) -> None:
        now = self._clock()
        self._has_trial = False
        if self._opened_at is not None:
            self._opened_at, self._successes = now, 0
            return
        self._failed.append(now)
        if len(self._failed) == self._max_failures and now - self._failed[0] <= self._window_s:
            self._opened_at = now

    def withdrawn(self) -> None:
        """An attempt that says nothing about the destination: rejected for its content, or interrupted."""
        self._has_trial = False

    def _refusal(self, wait_s: float) -> CircuitOpen:
        return CircuitOpen(
            f"{self.destination} failed too often; the next attempt is in {max(wait_s, 0.0):.0f} s",
            retry_after=timedelta(seconds=max(wait_s, 0.05)),
        )
