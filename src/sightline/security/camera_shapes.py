"""Shapes on a camera's picture: what may be drawn as a zone, a mask or a line. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sightline.geometry import LineDirection, Point, area_of, crosses_itself

ZoneKind = Literal["entry", "restricted", "public", "other", "mask", "line"]

MAX_ZONES = 50
"""Per camera."""
MAX_CORNERS = 100
MIN_AREA = 0.0001
"""A hundredth of the width by a hundredth of the height."""
MIN_LINE_LENGTH = 0.01
DEFAULT_LOITER_S = 60
LOITERED_KINDS = frozenset({"entry", "restricted"})
"""Where staying is noted unless something else is asked for."""


@dataclass(frozen=True, slots=True)
class ZoneShape:
    """A zone, a mask or a line as somebody drew it."""

    name: str
    kind: ZoneKind
    polygon: tuple[Point, ...]
    loiter_s: int | None = None
    direction: LineDirection | None = None


def without_repeats(points: Sequence[Point]) -> tuple[Point, ...]:
    """Without a corner that equals the one before it; a polygon that returns to its first corner is closed anyway."""
    kept = [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]
    return tuple(kept[:-1]) if len(kept) > 1 and kept[0] == kept[-1] else tuple(kept)


def shape_error(kind: ZoneKind, points: Sequence[Point]) -> str | None:
    """What is wrong with the shape, and what to do about it; None if it can be used."""
    if any(not 0 <= value <= 1 for point in points for value in point):
        return "a corner lies outside the picture; x and y are from 0 to 1"
    if len(points) > MAX_CORNERS:
        return f"there are {len(points)} corners; draw it with at most {MAX_CORNERS}"
    if kind == "line":
        return _line_error(points)
    if len(points) < 3:
        return "an area needs at least 3 different corners"
    if crosses_itself(points):
        return "its edges cross each other; draw the corners in order around the area"
    if area_of(points) < MIN_AREA:
        return "it is too small or flat; draw a larger area"
    return None


def _line_error(points: Sequence[Point]) -> str | None:
    if len(points) != 2:
        return f"a line has a start and an end, but {len(points)} different points were given"
    (x1, y1), (x2, y2) = points
    if (x2 - x1) ** 2 + (y2 - y1) ** 2 < MIN_LINE_LENGTH**2:
        return "the line is too short; draw a longer one"
    return None
