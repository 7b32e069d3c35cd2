"""Which frames of a video are looked at, how it is cut into ranges, and which frames are kept. Pure.

Time is cut into ticks of 1/`target_fps`; of each tick the first frame is a candidate. That hangs on the frame's own time alone,
so ranges that begin at ticks find the same candidates as one run from beginning to end, each of them once.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.media.likeness import Mark, similarity

SHORTEST_RANGE_S = 60.0
_EARLY = 1e-6
"""Frame times are sums of fractions; one that lies on a tick must not fall before it."""


@dataclass(frozen=True, slots=True)
class Range:
    """From the first tick up to the last, which is not included; None is the end of the video."""

    first: int
    until: int | None

    def holds(self, tick: int) -> bool:
        return self.first <= tick and (self.until is None or tick < self.until)


def tick_of(seconds: float, target_fps: float) -> int:
    return math.floor(seconds * target_fps + _EARLY)


def cut_ranges(duration_s: float, target_fps: float, most: int) -> list[Range]:
    """As many as there are cores, if each is worth a process."""
    count = max(1, min(most, int(duration_s // SHORTEST_RANGE_S)))
    ticks = max(count, math.ceil(duration_s * target_fps))
    edges = [ticks * number // count for number in range(count)]
    return [Range(first, until) for first, until in zip(edges, [*edges[1:], None], strict=True)]


class Keeper:
    """Keeps a frame unless it is more alike to the last one kept than the threshold."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._last: Mark | None = None

    def keeps(self, mark: Mark) -> bool:
        if self._last is not None and similarity(mark, self._last) > self._threshold:
            return False
        self._last = mark
        return True


def choose(candidates: Iterable[tuple[int, Mark]], threshold: float) -> list[int]:
    """The times of the frames that are kept, of all candidates in the order of time."""
    keeper = Keeper(threshold)
    return [at_ms for at_ms, mark in candidates if keeper.keeps(mark)]


def pack(mark: Mark) -> bytes:
    """Two bits a pair: an hour of marks is some hundred megabytes instead of more than a gigabyte."""
    return np.packbits(np.stack([mark > 0, mark < 0])).tobytes()


def packed_size(tiles: int, pairs: int) -> int:
    return -(-2 * tiles * pairs // 8)


def unpack(packed: bytes, tiles: int, pairs: int) -> Mark:
    bits: NDArray[np.uint8] = np.unpackbits(np.frombuffer(packed, np.uint8), count=2 * tiles * pairs)
    above, below = bits.reshape(2, tiles, pairs).view(np.int8)
    return above - below
