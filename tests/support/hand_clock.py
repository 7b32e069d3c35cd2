"""A clock that stands still until a test turns it."""

import time


class HandClock:
    """Begins at the present moment of the monotonic clock, so that it can be compared with times of that one."""

    def __init__(self) -> None:
        self.now = time.monotonic()

    def __call__(self) -> float:
        return self.now
