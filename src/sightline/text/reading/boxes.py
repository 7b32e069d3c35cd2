"""Rectangles of pixels and how they lie to each other. Pure."""

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
        """In pixels that stand for `factor` of these each way; nothing of it is lost."""
        x, y = self.x // factor, self.y // factor
        return Rect(x, y, -(-self.right // factor) - x, -(-self.bottom // factor) - y)

    def slices(self, *, margin: int = 0) -> tuple[slice, slice]:
        """Rows and columns of a picture."""
        return (
            slice(max(0, self.y - margin), self.bottom + margin),
            slice(max(0, self.x - margin), self.right + margin),
        )


def common_area(one: Rect, other: Rect) -> int:
    wide = min(one.right, other.right) - max(one.x, other.x)
    high = min(one.bottom, other.bottom) - max(one.y, other.y)
    return max(0, wide) * max(0, high)


def covers(one: Rect, other: Rect, part: float = 0.5) -> bool:
    """Whether at least this part of the other lies in the one."""
    return common_area(one, other) > part * other.area


def around(rects: Iterable[Rect]) -> Rect:
    several = list(rects)
    x, y = min(one.x for one in several), min(one.y for one in several)
    return Rect(x, y, max(one.right for one in several) - x, max(one.bottom for one in several) - y)


def are_in_line(one: Rect, other: Rect, *, gap: float = 0.9) -> bool:
    """Whether they may be pieces of one line of text: about as high, side by side, no farther apart than `gap` of their height."""
    low, high = sorted((one.height, other.height))
    if low <= 0.35 * high:
        return False
    beside = min(one.bottom, other.bottom) - max(one.y, other.y)
    apart = max(other.x - one.right, one.x - other.right)
    return beside > 0.5 * low and apart < gap * high
