"""Geometry of a picture: points, boxes and polygons in parts of its width and height, from 0 to 1. Pure."""

from collections.abc import Sequence
from typing import Literal

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width and height."""

LineDirection = Literal["both", "to_right", "to_left"]
"""Which crossings of a line count, as seen by somebody who walks from its start to its end."""


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """Even-odd: a ray to the right crosses the border an odd number of times. Points on the border may go either way."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def foot_of(box: Sequence[float]) -> Point:
    """Where an object stands: the middle of the lower edge of its box, which is closer to the ground than the centre."""
    x, y, width, height = box
    return x + width / 2, y + height


def center_of(box: Sequence[float]) -> Point:
    x, y, width, height = box
    return x + width / 2, y + height / 2


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """The shared part of two boxes, of what both cover together (IoU)."""
    shared = shared_area(one, other)
    together = one[2] * one[3] + other[2] * other[3] - shared
    return shared / together if together > 0 else 0.0


def shared_area(one: Sequence[float], other: Sequence[float]) -> float:
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def side_of(start: Point, end: Point, point: Point) -> float:
    """Distance of a point from the endless line through start and end; positive on the right of somebody who walks from
    start to end, as seen in the picture, where y grows downwards."""
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    return _turn(start, end, point) / length if length else 0.0


def segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the way from a to b meets the way from c to d, ends and touching included."""
    (a, b), (c, d) = sorted((sorted((a, b)), sorted((c, d))))  # rounding depends on the order; the answer must not
    turns = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
        return True
    ends = ((turns[0], a, b, c), (turns[1], a, b, d), (turns[2], c, d, a), (turns[3], c, d, b))
    return any(turn == 0 and _within(start, end, point) for turn, start, end, point in ends)


def crosses_itself(polygon: Sequence[Point]) -> bool:
    """Whether two edges that are not neighbours meet."""
    count = len(polygon)
    edges = [(polygon[index], polygon[(index + 1) % count]) for index in range(count)]
    return any(
        segments_cross(*edges[one], *edges[other])
        for one in range(count)
        for other in range(one + 2, count)
        if not (one == 0 and other == count - 1)
    )


def area_of(polygon: Sequence[Point]) -> float:
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _within(start: Point, end: Point, point: Point) -> bool:
    return min(start[0], end[0]) <= point[0] <= max(start[0], end[0]) and (
        min(start[1], end[1]) <= point[1] <= max(start[1], end[1])
    )
