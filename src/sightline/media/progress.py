"""Progress reporting for long media passes."""

import time

from sightline.jobs import Progress

REPORT_INTERVAL_S = 0.25


class ProgressReporter:
    """Reports at most every 250 ms how much of the video a pass has covered."""

    def __init__(self, progress: Progress, duration_s: float | None, *, start: float = 0.0, end: float = 1.0) -> None:
        """`start` and `end` are the share of the whole work that the pass covers."""
        self._progress = progress
        self._duration_s = duration_s
        self._start = start
        self._end = end
        self._reported_at = 0.0

    def report(self, reached_s: float) -> None:
        now = time.monotonic()
        if not self._duration_s or now - self._reported_at < REPORT_INTERVAL_S:
            return
        self._reported_at = now
        share = min(1.0, max(0.0, reached_s / self._duration_s))
        self._progress(self._start + share * (self._end - self._start), None)
