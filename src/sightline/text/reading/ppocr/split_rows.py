"""Splitting of boxes that hold several rows: close lines, such as those of code, are sometimes found as one. Pure."""

import itertools

import cv2
import numpy as np

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.frame_view import KERNEL_3, Color

MIN_ROW_HEIGHT = 6
MAX_GAP_INK = 0.04
"""The share of the densest row's ink that a gap between two rows may have."""


def split_rows(picture: Color, box: TextBox) -> list[TextBox]:
    """The box, or one per row of text in it."""
    if box.corners is not None or box.rect.height < 2 * MIN_ROW_HEIGHT + 2:
        return [box]
    gray = cv2.cvtColor(picture[box.rect.slices()], cv2.COLOR_BGR2GRAY)
    gradient = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, KERNEL_3)
    strong = gradient > max(20.0, 0.35 * float(np.percentile(gradient, 97)))
    density = strong.mean(axis=1)
    has_ink = np.concatenate(([False], density > MAX_GAP_INK * float(density.max()), [False]))
    changes = np.flatnonzero(has_ink[1:] != has_ink[:-1]).tolist()
    bands = [(top, bottom) for top, bottom in zip(changes[::2], changes[1::2], strict=True)]
    rows = [band for band in bands if band[1] - band[0] >= MIN_ROW_HEIGHT]
    if len(rows) < 2:
        return [box]
    heights = [bottom - top for top, bottom in rows]
    if min(heights) < 0.6 * max(heights) or len(rows) != len([b for b in bands if b[1] - b[0] > 2]):
        return [box]
    rect = box.rect
    middles = [0, *((one[1] + other[0]) // 2 for one, other in itertools.pairwise(rows)), rect.height]
    return [
        TextBox(_inked(Rect(rect.x, rect.y + top, rect.width, bottom - top), strong[top:bottom]), box.score)
        for top, bottom in itertools.pairwise(middles)
    ]


def _inked(rect: Rect, strong: np.ndarray) -> Rect:
    """As wide as the row's ink plus a margin: rows that were found as one differ in length."""
    columns = np.flatnonzero(strong.any(axis=0))
    if not columns.size:
        return rect
    margin = rect.height // 3
    left, right = max(0, int(columns[0]) - margin), min(rect.width, int(columns[-1]) + 1 + margin)
    return Rect(rect.x + left, rect.y, right - left, rect.height)
