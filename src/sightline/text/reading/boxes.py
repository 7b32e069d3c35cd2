"""Rectangles of pixels and their overlap. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Upper left, upper right, lower right and lower left as the text is read."""


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

    def moved(self, x: int, y: int) -> "Rect":
        return Rect(self.x + x, self.y + y, self.width, self.height)

    def grown(self, margin: int, size: tuple[int, int]) -> "Rect":
        """Larger by this margin on all sides, within a picture of this width and height."""
        x, y = max(0, self.x - margin), max(0, self.y - margin)
        return Rect(x, y, min(size[0], self.right + margin) - x, min(size[1], self.bottom + margin) - y)

    def slices(self, *, margin: int = 0) -> tuple[slice, slice]:
        """Rows and columns of a picture."""
        return (
            slice(max(0, self.y - margin), self.bottom + margin),
            slice(max(0, self.x - margin), self.right + margin),
        )


@dataclass(frozen=True, slots=True)
class TextBox:
    """A line of text, or a part of it between two wide gaps, in pixels of the picture."""

    rect: Rect
    score: float = 1.0
    """How much it looks like text to the detector, 0 to 1; 0 if only its shape is known."""
    corners: Corners | None = None
    """Of slanting text; None if it is upright."""
    is_lone_in_block: bool = False
    """Whether it holds a letter or two on their own among lines of text: in code these are often brackets."""

    @property
    def is_upended(self) -> bool:
        """Whether it is higher than wide, as text that was turned by 90 degrees."""
        return self.rect.height >= 1.8 * self.rect.width and self.corners is None

    def moved(self, x: int, y: int) -> "TextBox":
        """The box in a picture whose origin lies this much further left and up."""
        corners = self.corners
        if corners is not None:
            a, b, c, d = corners
            corners = (a[0] + x, a[1] + y), (b[0] + x, b[1] + y), (c[0] + x, c[1] + y), (d[0] + x, d[1] + y)
        return replace(self, rect=self.rect.moved(x, y), corners=corners)


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
