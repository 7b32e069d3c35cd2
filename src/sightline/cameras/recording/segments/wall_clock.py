"""The wall clock of a run: which moment of the day each segment shows. Pure.

A camera's own clock is not trusted. A packet that arrived with the least delay tells best when its picture was taken; the estimate
of one run is kept until it is off by more than a second, so that segments follow each other without gaps and overlaps.
"""

from collections.abc import Iterable

MAX_DRIFT_S = 1.0


class WallClock:
    def __init__(self) -> None:
        self._offset_s: float | None = None

    def started_at_s(self, begins_s: float, arrivals: Iterable[tuple[float, float]]) -> float:
        """The moment at which the segment begins. `arrivals` are pairs of media time and arrival of its samples."""
        estimate_s = min(arrived_s - media_s for media_s, arrived_s in arrivals)
        if self._offset_s is None or abs(estimate_s - self._offset_s) > MAX_DRIFT_S:
            self._offset_s = estimate_s
        return begins_s + self._offset_s
