"""Text boxes: rectangles around the text that the network's probability map shows. Pure."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect, TextBox

ProbabilityMap = NDArray[np.float32]

MIN_PROBABILITY = 0.3
"""Of a pixel that belongs to text."""
MIN_BOX_PROBABILITY = 0.5
"""Mean of the pixels of a box."""
GROWTH = 1.6
"""The network marks the middle of a line; its box is larger by this many areas per perimeter."""
MIN_SIDE = 3
MAX_BOXES = 400
MIN_SLANT_DEGREES = 2.5
"""Text that slants less is cut out upright."""


def find_boxes(
    probability: ProbabilityMap, *, to_original: tuple[float, float], size: tuple[int, int]
) -> list[TextBox]:
    """Boxes from top to bottom. `to_original` scales x and y of the map; `size` is the width and height of the original."""
    mask = (probability > MIN_PROBABILITY).astype(np.uint8)
    mask = cv2.dilate(mask, np.ones((2, 2), np.uint8)).astype(np.uint8, copy=False)
    outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found: list[TextBox] = []
    for outline in sorted(outlines, key=len, reverse=True)[:MAX_BOXES]:
        x, y, wide, high = cv2.boundingRect(outline)
        if min(wide, high) < MIN_SIDE:
            continue
        score = _mean_inside(probability[y : y + high, x : x + wide], outline, x, y)
        if score < MIN_BOX_PROBABILITY:
            continue
        box = _slanting(outline, score, to_original, size) or _upright(Rect(x, y, wide, high), score, to_original, size)
        if box is not None:
            found.append(box)
    return sorted(found, key=lambda box: (box.rect.y, box.rect.x))


def _mean_inside(part: ProbabilityMap, outline: NDArray[np.int32], x: int, y: int) -> float:
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(inside, [(outline.reshape(-1, 2) - (x, y)).astype(np.int32)], (1,))
    return float(cv2.mean(part, inside)[0])


def _upright(rect: Rect, score: float, scale: tuple[float, float], size: tuple[int, int]) -> TextBox | None:
    grown = rect.area * GROWTH / (2 * (rect.width + rect.height))
    left, top = max(0, round((rect.x - grown) * scale[0])), max(0, round((rect.y - grown) * scale[1]))
    right = min(size[0], round((rect.right + grown) * scale[0]))
    bottom = min(size[1], round((rect.bottom + grown) * scale[1]))
    if right - left < MIN_SIDE or bottom - top < MIN_SIDE:
        return None
    return TextBox(Rect(left, top, right - left, bottom - top), score)


def _slanting(
    outline: NDArray[np.int32], score: float, scale: tuple[float, float], size: tuple[int, int]
) -> TextBox | None:
    """The box of text that is neither level nor upended."""
    (middle_x, middle_y), (wide, high), degrees = cv2.minAreaRect(outline)
    if wide < high:
        wide, high, degrees = high, wide, degrees - 90
    degrees = (degrees + 90) % 180 - 90
    if wide < 3 * high or not MIN_SLANT_DEGREES < abs(degrees) < 90 - MIN_SLANT_DEGREES:
        return None
    # A short box whose outline is uneven seems to slant; its ends differ by less than half its height.
    if abs(math.sin(math.radians(degrees))) * wide < 0.5 * high:
        return None
    grown = wide * high * GROWTH / (2 * (wide + high))
    along = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    across = np.array([-along[1], along[0]])
    middle = np.array([middle_x, middle_y])
    half_wide, half_high = wide / 2 + grown, high / 2 + grown
    points = [
        (middle + a * half_wide * along + b * half_high * across) * np.array(scale)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    xs, ys = [float(point[0]) for point in points], [float(point[1]) for point in points]
    left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
    right, bottom = min(size[0], math.ceil(max(xs))), min(size[1], math.ceil(max(ys)))
    if right - left < MIN_SIDE or bottom - top < MIN_SIDE:
        return None
    corners = (xs[0], ys[0]), (xs[1], ys[1]), (xs[2], ys[2]), (xs[3], ys[3])
    return TextBox(Rect(left, top, right - left, bottom - top), score, corners)
