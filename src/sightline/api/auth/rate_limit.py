"""Rate limit per caller: a token bucket in this process's memory."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import timedelta

from sightline.errors import Throttled

CALLERS_REMEMBERED = 10_000
_ROUNDING = 1e-6  # a caller that waits exactly `retry_after` must not be refused because of a rounding error


class RateLimit:
    """`per_minute` requests in the long run, a tenth of that at once; 0 lets everything through."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._burst = max(1.0, per_minute / 10)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """Takes one token, or raises `Throttled` with the wait until the next one."""
        if self._rate == 0:
            return
        now = self._clock()
        tokens, since = self._buckets.pop(caller, (self._burst, now))
        tokens = min(self._burst, tokens + (now - since) * self._rate)
        is_allowed = tokens >= 1 - _ROUNDING
        self._buckets[caller] = (tokens - 1 if is_allowed else tokens, now)
        if len(self._buckets) > CALLERS_REMEMBERED:
            self._buckets.popitem(last=False)  # the one unseen for longest has a full bucket again anyway
        if not is_allowed:
            wait = timedelta(milliseconds=math.ceil((1 - tokens) / self._rate * 1000))
            raise Throttled("Too many requests. Try again later.", retry_after=wait)
