"""Reading order of boxes on one screen: columns from left to right, each from top to bottom. Pure."""

from collections.abc import Sequence

from sightline.text.segments.segment import Box

MAX_ORDERED_BOXES = 60
"""A screen with more boxes is a picture full of signs rather than a page; it is read row by row."""


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """The numbers of the boxes in the order in which people read them.

    A box is read before those below it in its column, and before those to its right, unless a box that spans both columns
    lies between them, such as a headline.
    """
    by_row = sorted(range(len(boxes)), key=lambda at: (boxes[at].y, boxes[at].x, at))
    if len(boxes) > MAX_ORDERED_BOXES:
        return by_row
    ordered: list[int] = []
    seen: set[int] = set()
    for start in by_row:
        # Boxes that must be read earlier come first. Overlapping boxes can contradict each other; then the upper one wins.
        stack = [start]
        while stack:
            at = stack[-1]
            if at in seen:
                stack.pop()
                continue
            earlier = [
                other
                for other in by_row
                if other != at and other not in seen and other not in stack and _is_before(other, at, boxes)
            ]
            if earlier:
                stack.append(earlier[0])
            else:
                seen.add(at)
                ordered.append(stack.pop())
    return ordered


def shares_column(one: Box, other: Box) -> bool:
    return min(one.x + one.width, other.x + other.width) > max(one.x, other.x)


def _middle(box: Box) -> float:
    return box.y + box.height / 2


def _is_before(one: int, other: int, boxes: Sequence[Box]) -> bool:
    first, second = boxes[one], boxes[other]
    if shares_column(first, second):
        return _middle(first) < _middle(second)
    if first.x > second.x:
        return False
    low, high = sorted((_middle(first), _middle(second)))
    return not any(
        low < _middle(between) < high and shares_column(between, first) and shares_column(between, second)
        for at, between in enumerate(boxes)
        if at not in (one, other)
    )
