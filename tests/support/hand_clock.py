"""A clock that stands still until a test turns it."""

import math
import time


class HandClock:
    """Begins at the present second of the monotonic clock, so that it can be compared with times of that one.

    At a whole second, because sums with a fraction are rounded when they pass a power of two: ten times 30 s were less than
    300 s in one of five runs that did so.
    """

    def __init__(self, now: float | None = None) -> None:
        self.now = float(math.floor(time.monotonic() if now is None else now))

    def __call__(self) -> float:
        return self.now
