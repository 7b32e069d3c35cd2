"""Sampling ranges: which frames of a video are candidates, and how it is split for parallel work. Pure.

Time is divided into ticks of 1/`target_fps`; the first frame of each tick is a candidate. That depends only on the time of the
frame, so ranges that start at ticks find the same candidates as one pass over the whole video, each of them once.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sightline.media.sampling.frame_similarity import Fingerprint, FrameSelector

MIN_RANGE_S, MAX_RANGE_S = 15.0, 120.0
_TOLERANCE = 1e-6
"""Rounding tolerance: a frame at the time of a tick must not fall before it."""


@dataclass(frozen=True, slots=True)
class TickRange:
    """Ticks from `first` up to but not including `until`; None is the end of the video."""

    first: int
    until: int | None

    def holds(self, tick: int) -> bool:
        return self.first <= tick and (self.until is None or tick < self.until)


WHOLE_VIDEO = TickRange(0, None)


def tick_of(seconds: float, target_fps: float) -> int:
    return math.floor(seconds * target_fps + _TOLERANCE)


def cut_ranges(duration_s: float, target_fps: float, processes: int, keyframes_s: Sequence[float]) -> list[TickRange]:
    """Ranges for all processes, unless they would be too short. They start at key frames, so that nothing is decoded twice."""
    length_s = min(max(duration_s / processes, MIN_RANGE_S), MAX_RANGE_S)
    count = max(1, round(duration_s / length_s)) if processes > 1 else 1
    edges = {0}
    for number in range(1, count):
        at = bisect_left(keyframes_s, duration_s * number / count)
        if at < len(keyframes_s):
            edges.add(math.ceil(keyframes_s[at] * target_fps))
    firsts = sorted(edges)
    return [TickRange(first, until) for first, until in zip(firsts, [*firsts[1:], None], strict=True)]


def select_frames(candidates: Iterable[tuple[int, Fingerprint]], selector: FrameSelector) -> list[int]:
    """Times of the selected frames; candidates come in the order of time."""
    return [at_ms for at_ms, fingerprint in candidates if selector.selects(fingerprint)]
