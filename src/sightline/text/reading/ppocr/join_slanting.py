"""Joining of boxes of slanting text that the network found in pieces: words of one line that follow each other. Pure."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Corners, Rect, TextBox

MAX_TURN_DEGREES = 5.0
"""Between two pieces."""
MIN_ALIKE = 0.65
"""How similar in height they are."""
MAX_GAP, MAX_OVERLAP = 0.3, 0.6
"""From the end of one to the beginning of the next, in heights. Boxes are wider than their letters, so that words overlap."""
MAX_OFFSET = 0.25
"""From the line of one to the middle of the other, in heights."""

Points = NDArray[np.float64]


def join_slanting(boxes: Sequence[TextBox]) -> list[TextBox]:
    found: list[TextBox] = []
    for box in boxes:
        joined = box
        while (other := next((one for one in found if _follow_each_other(one, joined)), None)) is not None:
            found.remove(other)
            joined = _joined(other, joined)
        found.append(joined)
    return found


def _follow_each_other(one: TextBox, other: TextBox) -> bool:
    if one.corners is None or other.corners is None:
        return False
    left, right = sorted(
        (np.array(one.corners), np.array(other.corners)), key=lambda points: float(points[:, 0].mean())
    )
    along, following = _along(left), _along(right)
    high, low = (float(np.linalg.norm(points[3] - points[0])) for points in (left, right))
    turn = math.degrees(math.acos(min(1.0, float(along @ following))))
    if turn > MAX_TURN_DEGREES or min(high, low) < MIN_ALIKE * max(high, low):
        return False
    across = np.array([-along[1], along[0]])
    gap = float((_start(right) - _end(left)) @ along)
    offset = abs(float((right.mean(axis=0) - left.mean(axis=0)) @ across))
    return -MAX_OVERLAP * high <= gap <= MAX_GAP * high and offset <= MAX_OFFSET * high + _drift(left, right, turn)


def _drift(left: Points, right: Points, turn: float) -> float:
    """How far the middle of the second may be off because the angle of a short piece is not certain."""
    return float(np.linalg.norm(right.mean(axis=0) - left.mean(axis=0))) * math.sin(math.radians(min(turn, 2.0)))


def _joined(one: TextBox, other: TextBox) -> TextBox:
    """From the first to the last letter, in the direction from the middle of the first piece to that of the last."""
    assert one.corners is not None
    assert other.corners is not None
    left, right = sorted(
        (np.array(one.corners), np.array(other.corners)), key=lambda points: float(points[:, 0].mean())
    )
    points = np.concatenate([left, right])
    along = _end(right) - _start(left)
    along = along / np.linalg.norm(along)
    across = np.array([-along[1], along[0]])
    origin = points.mean(axis=0)
    first, last = float(((points - origin) @ along).min()), float(((points - origin) @ along).max())
    top, bottom = float(((points - origin) @ across).min()), float(((points - origin) @ across).max())
    found = [origin + x * along + y * across for x, y in ((first, top), (last, top), (last, bottom), (first, bottom))]
    corners: Corners = tuple((float(x), float(y)) for x, y in found)  # type: ignore[assignment]
    return TextBox(_around(one.rect, other.rect), min(one.score, other.score), corners)


def _around(one: Rect, other: Rect) -> Rect:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Rect(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)


def _along(points: Points) -> Points:
    along: Points = points[1] - points[0]
    return along / np.linalg.norm(along)


def _start(points: Points) -> Points:
    middle: Points = (points[0] + points[3]) / 2
    return middle


def _end(points: Points) -> Points:
    middle: Points = (points[1] + points[2]) / 2
    return middle
