"""Regions: pixels that move together, kept if they last; rain, snow and noise do not."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.motion.background import Gray

JOIN = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
"""Parts of one object that are closer than this are one region."""
MAX_BLOBS = 64
CLUTTER_BLOBS = 8
"""So many small blobs at once are weather."""
CLUTTER_S = 20.0
OPENINGS = (3, 5, 7)
"""What is thinner than so many pixels is taken away until few blobs are left."""
CLUTTER_SHARE = 0.2
REACH = 10.0
"""How far a small blob may move from one look to the next, in pixels, beside its own size."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Pixels that move together: where, how many, and in how many looks in a row."""

    left: int
    top: int
    width: int
    height: int
    area: int
    number: int
    """Its number in the picture of labels."""
    looks: int = 1

    @property
    def center(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2


class Blobs:
    """Finds blobs and remembers those of the last look."""

    def __init__(self, *, min_area: int, sure_area: int, looks_to_count: int) -> None:
        self._min_area = min_area
        self._sure_area = sure_area
        self._looks_to_count = looks_to_count
        self._last: list[Blob] = []
        self._opening = 0
        """While it rains or snows, what is thinner than this is taken for drops."""
        self._clutter_s = float("inf")
        """Seconds since so many blobs were seen at once."""

    def find(
        self, moving: Gray, ignored: NDArray[np.bool_] | None, seconds: float
    ) -> tuple[list[Blob], NDArray[np.int32]]:
        """Blobs that count, largest first, and the picture of their numbers."""
        _, numbers, stats, _ = cv2.connectedComponentsWithStats(
            cv2.dilate(moving, JOIN), connectivity=8, ltype=cv2.CV_32S
        )
        is_moving = moving > 0
        areas = np.bincount(numbers[is_moving], minlength=len(stats))
        open_areas = areas if ignored is None else np.bincount(numbers[is_moving & ~ignored], minlength=len(stats))
        found = []
        for number in np.argsort(-areas[1:])[:MAX_BLOBS] + 1:
            if open_areas[number] < self._min_area or open_areas[number] < 0.35 * areas[number]:
                continue
            left, top, width, height, _ = (int(value) for value in stats[number])
            blob = Blob(left, top, width, height, int(areas[number]), int(number))
            found.append(self._continued(blob, seconds))
        self._last = found
        return [blob for blob in found if self._counts(blob)], numbers

    def nothing(self, seconds: float) -> None:
        self._last = []
        self._fade(seconds)

    def _continued(self, blob: Blob, seconds: float) -> Blob:
        reach = REACH * max(seconds * 5, 1) ** 0.5 + math.sqrt(blob.area)
        looks = max((last.looks for last in self._last if _is_near(blob, last, reach)), default=0) + 1
        return Blob(blob.left, blob.top, blob.width, blob.height, blob.area, blob.number, looks)

    def without_drops(self, moving: Gray, seconds: float) -> Gray:
        """Rain and snow are many small blobs at once; what is as thin as they are is taken away, as long as they fall."""
        count = _count(moving)
        if count >= CLUTTER_BLOBS:
            self._clutter_s = 0.0
            for size in OPENINGS:
                self._opening = max(self._opening, size)
                if size == self._opening and _count(_opened(moving, size)) <= max(2, CLUTTER_SHARE * count):
                    break
        else:
            self._fade(seconds)
        return _opened(moving, self._opening) if self._opening else moving

    def _fade(self, seconds: float) -> None:
        self._clutter_s += seconds
        if self._clutter_s > CLUTTER_S:
            self._opening = 0

    def _counts(self, blob: Blob) -> bool:
        return blob.area >= self._sure_area or blob.looks >= self._looks_to_count


def _opened(moving: Gray, size: int) -> Gray:
    opened: Gray = cv2.morphologyEx(moving, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    return opened


def _count(moving: Gray) -> int:
    return int(cv2.connectedComponents(moving, connectivity=8)[0]) - 1


def _is_near(blob: Blob, last: Blob, reach: float) -> bool:
    if not 0.25 <= blob.area / last.area <= 4:
        return False
    return math.dist(blob.center, last.center) <= reach
