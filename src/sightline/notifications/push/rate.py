"""Rate limit of a destination: a token bucket that returns how long to wait."""

import time
from collections.abc import Callable


class SendRate:
    """`per_minute` in the long run, as many at once as ten seconds bring; 0 is no limit."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_minute / 60
        self._burst = max(1.0, per_minute / 6)
        self._clock = clock
        self._tokens = self._burst
        self._since = clock()

    def wait_s(self) -> float:
        """Takes a token and returns 0, or returns the wait until there is one."""
        if self._per_s == 0:
            return 0.0
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._since) * self._per_s)
        self._since = now
        if self._tokens >= 1 - 1e-6:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self._per_s
