"""Splitting of boxes that reach over two columns of a table, such as a narrow one with the numbers of its rows. Pure.

One row does not tell a wide space from two columns; rows below each other that are empty in the same place do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from sightline.text.reading.boxes import TextBox
from sightline.text.reading.frame_view import KERNEL_3, Color

MIN_ROWS = 3
MIN_GAP = 0.7
"""Of the height of a box, that is without ink: about three times the space between two words, and more than one in code."""
MIN_COMMON_GAP = 0.4
"""Of the height, that the gaps of all rows have in common."""
MAX_ROWS_APART = 3.5
"""Heights from one row to the next."""
MIN_ALIKE = 0.6
"""How similar in height the rows are."""
MIN_ROWS_WITH_CELLS = 0.6
"""The share of the rows that have a further cell. Numbered lists have none, and their numbers belong to their lines."""
OUTSIDE = 0.2
"""Of the height that is left out above and below: boxes are higher than their letters."""
MARGIN = 0.25
"""Of the height, around the ink of a part."""

Gap = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Inked:
    """A box with the first and last columns of its ink, and wide gaps in between, in pixels of the picture."""

    box: TextBox
    left: int
    right: int
    gaps: tuple[Gap, ...]

    @property
    def height(self) -> int:
        return self.box.rect.height

    @property
    def middle(self) -> float:
        return self.box.rect.y + self.height / 2


def split_columns(picture: Color, boxes: Sequence[TextBox]) -> list[TextBox]:
    """The boxes, those that reach over an empty column of their table as one per side of it."""
    level = [box for box in boxes if box.corners is None and not box.is_upended]
    if len(level) < 2 * MIN_ROWS:
        return list(boxes)
    inked = [_inked(picture, box) for box in level]
    if not any(one.gaps for one in inked):
        return list(boxes)
    rows = _rows(inked)
    cuts = {
        id(one.box): [cut for gap in one.gaps if (cut := _common_gap(rows, number, gap, one.height)) is not None]
        for number, row in enumerate(rows)
        for one in row
    }
    return [part for box in boxes for part in _cut(box, cuts.get(id(box), []))]


def _inked(picture: Color, box: TextBox) -> _Inked:
    rect = box.rect
    outside = round(OUTSIDE * rect.height)
    gray = cv2.cvtColor(picture[rect.slices()], cv2.COLOR_BGR2GRAY)[outside : max(outside + 1, rect.height - outside)]
    gradient = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, KERNEL_3)
    ink = np.flatnonzero((gradient > max(20.0, 0.35 * float(np.percentile(gradient, 97)))).any(axis=0))
    if not ink.size:
        return _Inked(box, rect.x, rect.right, ())
    breaks = np.flatnonzero(np.diff(ink) > MIN_GAP * rect.height).tolist()
    gaps = tuple((rect.x + int(ink[at]) + 1, rect.x + int(ink[at + 1])) for at in breaks)
    return _Inked(box, rect.x + int(ink[0]), rect.x + int(ink[-1]) + 1, gaps)


def _rows(boxes: Sequence[_Inked]) -> list[list[_Inked]]:
    """From top to bottom."""
    found: list[list[_Inked]] = []
    for one in sorted(boxes, key=lambda one: one.middle):
        if found and one.middle - found[-1][0].middle < 0.5 * min(one.height, found[-1][0].height):
            found[-1].append(one)
        else:
            found.append([one])
    return found


def _common_gap(rows: Sequence[Sequence[_Inked]], number: int, gap: Gap, height: int) -> Gap | None:
    """What this gap has in common with those of the rows around; None if they are fewer than a table has."""
    supporting = [rows[number]]
    for step in (-1, 1):
        last, at = rows[number][0].middle, number + step
        while 0 <= at < len(rows) and abs(rows[at][0].middle - last) <= MAX_ROWS_APART * height:
            narrowed = _narrowed(rows[at], gap, height)
            if narrowed is None:
                break
            if _has_both_sides(rows[at], narrowed, height):
                gap = narrowed
                supporting.append(rows[at])
            last, at = rows[at][0].middle, at + step
    with_cells = sum(_cells(row, gap) > 2 for row in supporting)
    is_table = len(supporting) >= MIN_ROWS and with_cells >= MIN_ROWS_WITH_CELLS * len(supporting)
    return gap if is_table else None


def _narrowed(row: Sequence[_Inked], gap: Gap, height: int) -> Gap | None:
    """What of the gap is empty in this row too; None if it is too little."""
    left, right = gap
    for one in row:
        if one.right <= left or one.left >= right or min(one.height, height) < MIN_ALIKE * max(one.height, height):
            continue
        if one.left < left and one.right > right:
            within = [(max(left, start), min(right, end)) for start, end in one.gaps]
            left, right = max(within, key=lambda part: part[1] - part[0], default=(0, 0))
        elif one.left < left:
            left = one.right
        else:
            right = one.left
    return (left, right) if right - left >= MIN_COMMON_GAP * height else None


def _has_both_sides(row: Sequence[_Inked], gap: Gap, height: int) -> bool:
    """Whether the row has text close to the left of the gap, and to the right of it."""
    alike = [one for one in row if min(one.height, height) >= MIN_ALIKE * max(one.height, height)]
    return any(one.left < gap[0] for one in alike) and any(one.right > gap[1] for one in alike)


def _cells(row: Sequence[_Inked], gap: Gap) -> int:
    return sum(2 if one.left < gap[0] and one.right > gap[1] else 1 for one in row)


def _cut(box: TextBox, gaps: Sequence[Gap]) -> list[TextBox]:
    rect, margin = box.rect, round(MARGIN * box.rect.height)
    sides = [rect.x]
    for start, end in sorted(gaps):
        middle = (start + end) // 2
        sides += [min(start + margin, middle), max(end - margin, middle)]
    sides.append(rect.right)
    return (
        [
            TextBox(rect._replace(x=left, width=right - left), box.score)
            for left, right in zip(sides[::2], sides[1::2], strict=True)
        ]
        if gaps
        else [box]
    )
