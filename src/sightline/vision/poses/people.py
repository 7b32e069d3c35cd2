"""People with their poses, and one person out of several views of them. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.vision.detector import Box

SAME_PERSON = 0.12
"""Two poses are one person if their common points are nearer than this on average, in parts of the person's size."""
MIN_COMMON_POINTS = 4
MIN_POINT_CERTAINTY = 0.1


@dataclass(frozen=True, slots=True)
class PosedPerson:
    score: float
    points: NDArray[np.float32]
    """(17, 3): x and y in parts of the picture, and certainty; the points of COCO, nose first."""
    aspect: float
    """Width of the picture divided by its height: points are parts, and distances need one unit."""

    @property
    def seen(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.points[:, 2] >= MIN_POINT_CERTAINTY
        return found

    @property
    def certainty(self) -> float:
        """How much of the person is known: the certainties of all points, added."""
        return float(self.points[:, 2][self.seen].sum())

    @property
    def box(self) -> Box:
        """Around the points that are seen; empty if none is."""
        points = self.points[self.seen]
        if not len(points):
            return 0.0, 0.0, 0.0, 0.0
        (left, top), (right, bottom) = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
        return float(left), float(top), float(right - left), float(bottom - top)

    @property
    def size(self) -> float:
        """The diagonal of the box, in heights of the picture."""
        _, _, width, height = self.box
        return float(np.hypot(width * self.aspect, height))


def is_same_person(one: PosedPerson, other: PosedPerson) -> bool:
    common = one.seen & other.seen
    if common.sum() < MIN_COMMON_POINTS:
        return False
    apart = (one.points[common, :2] - other.points[common, :2]) * np.array([one.aspect, 1], np.float32)
    size = max(one.size, other.size, 1e-6)
    return float(np.median(np.hypot(apart[:, 0], apart[:, 1]))) < SAME_PERSON * size


def merge_people(people: Iterable[PosedPerson]) -> list[PosedPerson]:
    """One pose of each person, the one of which most is known, the best known person first."""
    kept: list[PosedPerson] = []
    for one in sorted(people, key=lambda person: -person.certainty):
        if not any(is_same_person(one, other) for other in kept):
            kept.append(one)
    return kept
