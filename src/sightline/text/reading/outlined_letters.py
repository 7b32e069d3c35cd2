"""Outlined letters: areas that an outline separates from the picture, whatever the brightness of both. Pure."""

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.frame_view import Gray

MIN_BRIGHTNESS_DIFFERENCE = 25
"""From this difference to the background on, brightness distinguishes letters from the holes in them."""


def enclosed_areas(not_outline: NDArray[np.bool_]) -> Gray:
    """1 where the picture's edge cannot be reached without crossing an outline; `not_outline` is False on outlines."""
    field = cv2.copyMakeBorder(not_outline.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
    cv2.floodFill(field, None, (0, 0), 0, flags=4)
    return field[1:-1, 1:-1].astype(np.uint8, copy=False)


def without_counters(inside: Gray, gray: Gray, *, background: float) -> Gray:
    """The letters alone: the outline also encloses the hole of an `o`, which is removed here."""
    count, labels, parts, _ = cv2.connectedComponentsWithStats(inside, connectivity=4)
    if count < 2:
        return inside
    letters = float(np.median(gray[inside > 0]))
    is_hole = np.zeros(count, np.bool_)
    if abs(letters - background) > MIN_BRIGHTNESS_DIFFERENCE:
        means = np.bincount(labels.ravel(), gray.ravel().astype(np.float64), count) / np.maximum(parts[:, 4], 1)
        is_hole = np.abs(means - letters) > np.abs(means - background)
    else:
        for hole in _in_holes(inside):
            is_hole[labels[hole[1], hole[0]]] = True
    is_hole[0] = True
    return np.where(is_hole[labels], np.uint8(0), np.uint8(1))


def _in_holes(inside: Gray) -> list[tuple[int, int]]:
    """One pixel of each area that lies in a hole of another area."""
    outlines, tree = cv2.findContours(inside, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return []
    parents = tree[0][:, 3].tolist()
    found = []
    for number, outline in enumerate(outlines):
        parent = parents[number]
        if parent >= 0 and parents[parent] >= 0 and parents[parents[parent]] < 0:
            x, y = outline[0][0].tolist()
            found.append((x, y))
    return found
