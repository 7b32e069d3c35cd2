"""The path of a track: thinned to the points that shape it, and the direction of its last part."""

import math

from sightline.vision.tracking.track import PathPoint

MAX_POINTS = 32
DIRECTIONS = ("right", "down_right", "down", "down_left", "left", "up_left", "up", "up_right")


class Path:
    """Grows by one point per look and keeps those that matter most for its shape."""

    def __init__(self, first: PathPoint) -> None:
        self._kept = [first]
        self._last = first

    def add(self, point: PathPoint, *, at_least: float) -> None:
        """The point is kept if it lies at least so far from the last kept one; it is always the path's present end."""
        self._last = point
        if math.dist((point.x, point.y), (self._kept[-1].x, self._kept[-1].y)) < at_least:
            return
        self._kept.append(point)
        if len(self._kept) > MAX_POINTS:
            self._drop_least()

    def points(self) -> tuple[PathPoint, ...]:
        return (*self._kept, self._last) if self._last != self._kept[-1] else tuple(self._kept)

    def _drop_least(self) -> None:
        """Removes the point whose absence changes the shape least: the one with the smallest triangle."""
        areas = [
            _triangle(before, point, after)
            for before, point, after in zip(self._kept, self._kept[1:], self._kept[2:], strict=False)
        ]
        del self._kept[areas.index(min(areas)) + 1]


def direction(from_x: float, from_y: float, to_x: float, to_y: float) -> str:
    """One of eight, as seen in the picture; lengths have one unit in both directions."""
    eighth = round(math.atan2(to_y - from_y, to_x - from_x) / (math.pi / 4)) % 8
    return DIRECTIONS[eighth]


def _triangle(a: PathPoint, b: PathPoint, c: PathPoint) -> float:
    return abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x))
