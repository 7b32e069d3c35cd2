"""Says how far a pass through a video is, now and then."""

import time

from sightline.jobs.process import Progress

TELL_EVERY_S = 0.25


class Teller:
    def __init__(self, progress: Progress, duration_s: float | None, *, start: float = 0.0, end: float = 1.0) -> None:
        """`start` and `end` are what the pass is of the whole work."""
        self._progress = progress
        self._duration_s = duration_s
        self._start = start
        self._end = end
        self._told_at = 0.0

    def tell(self, reached_s: float) -> None:
        now = time.monotonic()
        if not self._duration_s or now - self._told_at < TELL_EVERY_S:
            return
        self._told_at = now
        part = min(1.0, max(0.0, reached_s / self._duration_s))
        self._progress(self._start + part * (self._end - self._start), None)
