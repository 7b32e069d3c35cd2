"""Splitting of boxes on plates that touch or nearly touch, such as the counts of a score bar. Pure.

A plate is higher than its letters. What changes over its whole height, from one column to the next, is its end: another plate,
a thin line, or what lies behind. Strokes of letters are shorter.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.frame_view import Color

MIN_STEP = 40.0
"""Between two grounds, and between a ground and its letters, in the channel that differs most."""
MIN_ROWS = 0.85
"""Of the height of a plate, that change at its end."""
MIN_COLUMNS = 0.7
"""Of the width of a box, that change at the upper or lower side of a plate."""
REACH = 0.35
"""Of the height of the box: how far above and below it the sides of plates are searched for."""
MIN_HALF = 0.3
"""From the middle of the box to a side of the plate, in heights of the box."""
MAX_LINE = 0.15
"""Of the height of the plate: the width of a line between two of them."""
MIN_WIDTH = 0.25
"""Of the height of the plate: a narrower part holds no letter."""
MIN_OUTER_WIDTH = 0.6
"""Of a part that the box cuts off: most of it belongs to another box."""
MIN_INK = 0.015
MIN_BORDER, MAX_INK_AT_BORDER = 0.08, 0.05
"""A plate has hardly any ink within this part of its height at its upper and lower side."""
MARGIN = 0.3
"""Around the letters of a part, in their heights."""
MIN_CELL_GAP = 0.85
"""Of the height of the letters: on a plate, groups so far apart are cells of their own, as where plates have one colour."""
MAX_CELLS = 4
"""What falls into more groups is one text with its letters far apart."""
MIN_HEIGHT, MAX_SHAPE = 14, 12
MAX_SAME_WIDTH = 0.9
"""A box of which a plate takes more than this stays as it is."""

Pixels = NDArray[np.float32]


def split_dividers(picture: Color, box: TextBox) -> list[TextBox]:
    """The box, or one per plate that it reaches over."""
    rect = box.rect
    if box.corners is not None or rect.height < MIN_HEIGHT or not 1 <= rect.width / rect.height <= MAX_SHAPE:
        return [box]
    reach = round(REACH * rect.height)
    top, bottom = max(0, rect.y - reach), min(picture.shape[0], rect.bottom + reach)
    pixels = picture[top:bottom, rect.x : rect.right].astype(np.float32)
    plate = _plate(pixels, rect.y + rect.height // 2 - top, round(MIN_HALF * rect.height))
    if plate is None:
        return [box]
    inside = pixels[slice(*plate)]
    lines = _lines(inside)
    starts, ends = [0, *(end for _, end in lines)], [*(start for start, _ in lines), rect.width]
    found = []
    for start, end in zip(starts, ends, strict=True):
        is_outer = start == 0 or end == rect.width
        if end - start < (MIN_OUTER_WIDTH if is_outer else MIN_WIDTH) * inside.shape[0]:
            continue
        cells = _cells(inside[:, start:end])
        if cells is None:
            return [box]
        found += [one.moved(rect.x + start, top + plate[0]) for one in cells]
    is_whole = len(found) == 1 and (not lines or found[0].width > MAX_SAME_WIDTH * rect.width)
    if not found or is_whole:
        return [box]
    return [TextBox(one, box.score) for one in found]


def _plate(pixels: Pixels, middle: int, half: int) -> tuple[int, int] | None:
    """The first and the last row of the plate around this row, without its sides; None if there is none."""
    steps = np.abs(pixels[2:] - pixels[:-2]).max(axis=2) >= MIN_STEP
    # Plates beside each other may differ by a few rows.
    steep = cv2.dilate(steps.astype(np.uint8), np.ones((5, 1), np.uint8))
    sides = np.flatnonzero(steep.mean(axis=1) >= MIN_COLUMNS) + 1
    above, below = sides[sides <= middle - half], sides[sides >= middle + half]
    return (int(above[-1]) + 1, int(below[0])) if above.size and below.size else None


def _lines(plate: Pixels) -> list[tuple[int, int]]:
    """Where plates end: the first column of each change, and the first one after it."""
    steps = np.abs(plate[:, 2:] - plate[:, :-2]).max(axis=2) >= MIN_STEP
    columns = (np.flatnonzero(steps.mean(axis=0) >= MIN_ROWS) + 1).tolist()
    found: list[tuple[int, int]] = []
    for column in columns:
        if found and column - found[-1][1] <= MAX_LINE * plate.shape[0]:
            found[-1] = (found[-1][0], column + 2)
        else:
            found.append((column - 1, column + 2))
    return found


def _cells(part: Pixels) -> list[Rect] | None:
    """The letters on one plate, with a margin: as one, or in groups that are too far apart for words of one line.

    None if it is no plate: letters with long strokes above and below have sides as well, but nothing between sides and ink.
    """
    ground = np.median(part.reshape(-1, 3), axis=0)
    ink = np.abs(part - ground).max(axis=2) >= MIN_STEP
    if ink.mean() < MIN_INK:
        return []
    border = max(1, round(MIN_BORDER * part.shape[0]))
    if max(ink[:border].mean(), ink[-border:].mean()) > MAX_INK_AT_BORDER:
        return None
    ink[:border] = ink[-border:] = False
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not columns.size:
        return []
    high = int(rows[-1]) - int(rows[0]) + 1
    groups = np.split(columns, np.flatnonzero(np.diff(columns) > MIN_CELL_GAP * high) + 1)
    if len(groups) > MAX_CELLS:
        groups = [columns]
    margin = max(2, round(MARGIN * high))
    top, bottom = max(0, int(rows[0]) - margin), min(part.shape[0], int(rows[-1]) + 1 + margin)
    sides = [(max(0, int(one[0]) - margin), min(part.shape[1], int(one[-1]) + 1 + margin)) for one in groups]
    return [Rect(left, top, right - left, bottom - top) for left, right in sides]
