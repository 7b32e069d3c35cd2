"""Episodes of motion: what is reported of a camera while no detector is installed. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from sightline.geometry import Box

MOTION_LABEL = "motion"
MOTION_SCORE = 0.5
"""What moves may be anything; this says that nothing is known of it."""
LOOKS_TO_BEGIN = 3
BEGINS_WITHIN_S = 3.0
ENDS_AFTER_S = 10.0
REPORT_EVERY_S = 10.0


@dataclass(frozen=True, slots=True)
class MotionSighting:
    track_id: str
    number: int
    at: float
    box: Box
    seconds: float
    is_end: bool = False


class MotionEpisodes:
    """One per camera. A single flicker is no episode."""

    def __init__(self, *, new_id: Callable[[], str] = lambda: str(uuid4())) -> None:
        self._new_id = new_id
        self._looks: list[float] = []
        self._track_id: str | None = None
        self._box: Box = (0.0, 0.0, 1.0, 1.0)
        self._began = self._last = self._reported = 0.0
        self._number = 0

    @property
    def is_open(self) -> bool:
        return self._track_id is not None

    def see(self, regions: Sequence[Box], at: float) -> MotionSighting | None:
        if not regions:
            return None
        self._box = max(regions, key=lambda box: box[2] * box[3])
        self._last = at
        if self._track_id is None:
            self._looks = [one for one in (*self._looks, at) if 0 <= at - one <= BEGINS_WITHIN_S]
            if len(self._looks) < LOOKS_TO_BEGIN:
                return None
            self._track_id, self._began, self._number = self._new_id(), self._looks[0], 0
            self._looks = []
        elif 0 <= at - self._reported < REPORT_EVERY_S:
            return None
        return self._report(self._track_id, at)

    def ended(self, at: float) -> MotionSighting | None:
        """The end of the episode, once."""
        return None if 0 <= at - self._last < ENDS_AFTER_S else self.finish()

    def finish(self) -> MotionSighting | None:
        """Ends an episode now, at its last motion."""
        if self._track_id is None:
            return None
        track_id, self._track_id = self._track_id, None
        return self._report(track_id, self._last, is_end=True)

    def _report(self, track_id: str, at: float, *, is_end: bool = False) -> MotionSighting:
        self._number += 1
        self._reported = at
        return MotionSighting(track_id, self._number, at, self._box, max(0.0, at - self._began), is_end)
