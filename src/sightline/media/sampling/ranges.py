"""Which frames of a video are looked at, and how it is cut into ranges. Pure.

Time is cut into ticks of 1/`target_fps`; of each tick the first frame is a candidate. That hangs on the frame's own time alone,
so ranges that begin at ticks find the same candidates as one run from beginning to end, each of them once.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sightline.media.sampling.frame_similarity import Fingerprint, FrameSelector

MIN_RANGE_S, MAX_RANGE_S = 15.0, 120.0
_EARLY = 1e-6
"""Frame times are sums of fractions; one that lies on a tick must not fall before it."""


@dataclass(frozen=True, slots=True)
class TickRange:
    """From the first tick up to the last, which is not included; None is the end of the video."""

    first: int
    until: int | None

    def holds(self, tick: int) -> bool:
        return self.first <= tick and (self.until is None or tick < self.until)


WHOLE_VIDEO = TickRange(0, None)


def tick_of(seconds: float, target_fps: float) -> int:
    return math.floor(seconds * target_fps + _EARLY)


def cut_ranges(duration_s: float, target_fps: float, processes: int, keyframes_s: Sequence[float]) -> list[TickRange]:
    """Enough for all processes, if each is worth one; they begin where decoding can begin, so that nothing is decoded twice."""
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
    """The times of the frames that are kept, of candidates in the order of time."""
    return [at_ms for at_ms, fingerprint in candidates if selector.selects(fingerprint)]
