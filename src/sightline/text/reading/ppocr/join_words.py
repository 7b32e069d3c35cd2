"""Joining of level boxes that are one line: the network ends a box before small signs, such as the asterisks of code. Pure."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect, TextBox, bounding_rect
from sightline.text.reading.frame_view import KERNEL_3, Color

MIN_ALIKE = 0.75
"""How similar in height both are, and how much of it they have in common."""
MAX_APART, MAX_COMMON = 1.2, 0.5
"""Between both boxes, and what they have in common, in heights."""
MAX_GAP = 0.55
"""Of the height, without ink: a space in code. Columns are further apart."""
MAX_SIGN = 0.5
"""Of the height of the letters: the height of a sign between both. What is higher is a rule or the side of a plate."""
MAX_GROUND_STEP = 24.0
"""Between the grounds of both, in the channel that differs most: plates are texts of their own."""
MAX_INK_AROUND = 0.05
"""In the first and the last row: where film or plates lie around a line, its box is no measure of its letters."""


def join_words(picture: Color, boxes: Sequence[TextBox]) -> list[TextBox]:
    """The boxes, those between which there are only signs and spaces as one."""
    found: list[TextBox] = []
    for box in sorted(boxes, key=lambda box: box.rect.x):
        before = next((one for one in found if _are_in_line(one, box) and _is_one_line(picture, one, box)), None)
        if before is None:
            found.append(box)
        else:
            found.remove(before)
            found.append(TextBox(bounding_rect([before.rect, box.rect]), min(before.score, box.score)))
    return sorted(found, key=lambda box: (box.rect.y, box.rect.x))


def _are_in_line(left: TextBox, right: TextBox) -> bool:
    if left.corners is not None or right.corners is not None or left.is_upended or right.is_upended:
        return False
    one, other = left.rect, right.rect
    low, high = sorted((one.height, other.height))
    common = min(one.bottom, other.bottom) - max(one.y, other.y)
    return common >= MIN_ALIKE * high and -MAX_COMMON * low <= other.x - one.right <= MAX_APART * low


def _is_one_line(picture: Color, left: TextBox, right: TextBox) -> bool:
    if not _have_one_ground(picture, left.rect, right.rect):
        return False
    rect = bounding_rect([left.rect, right.rect])
    ink = _ink(picture, rect)
    if max(ink[0].mean(), ink[-1].mean()) > MAX_INK_AROUND:
        return False
    border = min(left.rect.right, right.rect.x) - rect.x
    before = np.flatnonzero(ink[:, :border].any(axis=0))
    after = np.flatnonzero(ink[:, max(border, right.rect.x - rect.x) :].any(axis=0))
    if not before.size or not after.size:
        return False
    start, end = int(before[-1]) + 1, max(border, right.rect.x - rect.x) + int(after[0])
    between = ink[:, start:end]
    letters = np.flatnonzero(ink.any(axis=1))
    signs = np.flatnonzero(between.any(axis=1))
    if signs.size and signs[-1] - signs[0] > MAX_SIGN * (letters[-1] - letters[0]):
        return False
    columns = [-1, *np.flatnonzero(between.any(axis=0)).tolist(), between.shape[1]]
    return max(np.diff(columns)) - 1 <= MAX_GAP * rect.height


def _have_one_ground(picture: Color, left: Rect, right: Rect) -> bool:
    grounds = [np.median(picture[rect.slices()].reshape(-1, 3), axis=0) for rect in (left, right)]
    return float(np.abs(grounds[0] - grounds[1]).max()) <= MAX_GROUND_STEP


def _ink(picture: Color, rect: Rect) -> NDArray[np.bool_]:
    gray = cv2.cvtColor(picture[rect.slices()], cv2.COLOR_BGR2GRAY)
    gradient = cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, KERNEL_3)
    found: NDArray[np.bool_] = gradient > max(20.0, 0.35 * float(np.percentile(gradient, 97)))
    return found
