"""Rectangles of pixels and their overlap. Pure."""

from collections.abc import Iterable
from typing import NamedTuple


class Rect(NamedTuple):
    """Upper left corner, width and height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def area(self) -> int:
        return self.width * self.height

    def scaled(self, factor: int) -> "Rect":
        return Rect(self.x * factor, self.y * factor, self.width * factor, self.height * factor)

    def shrunk(self, factor: int) -> "Rect":
        """In a picture that is `factor` times smaller; rounded outwards."""
        x, y = self.x // factor, self.y // factor
        return Rect(x, y, -(-self.right // factor) - x, -(-self.bottom // factor) - y)

    def slices(self, *, margin: int = 0) -> tuple[slice, slice]:
        """Rows and columns of a picture."""
        return (
            slice(max(0, self.y - margin), self.bottom + margin),
            slice(max(0, self.x - margin), self.right + margin),
        )


def overlap_area(one: Rect, other: Rect) -> int:
    wide = min(one.right, other.right) - max(one.x, other.x)
    high = min(one.bottom, other.bottom) - max(one.y, other.y)
    return max(0, wide) * max(0, high)


def covers(one: Rect, other: Rect, share: float = 0.5) -> bool:
    """Whether `one` covers more than this share of `other`."""
    return overlap_area(one, other) > share * other.area


def bounding_rect(rects: Iterable[Rect]) -> Rect:
    parts = list(rects)
    x, y = min(one.x for one in parts), min(one.y for one in parts)
    return Rect(x, y, max(one.right for one in parts) - x, max(one.bottom for one in parts) - y)


def are_in_line(one: Rect, other: Rect, *, gap: float = 0.9) -> bool:
    """Whether both may be pieces of one line of text: similar in height, side by side, at most `gap` heights apart."""
    low, high = sorted((one.height, other.height))
    if low <= 0.35 * high:
        return False
    beside = min(one.bottom, other.bottom) - max(one.y, other.y)
    apart = max(other.x - one.right, one.x - other.right)
    return beside > 0.5 * low and apart < gap * high
