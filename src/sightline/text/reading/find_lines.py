"""Detection of candidate text lines: rows of close strokes with an even background above and below.

Many candidates are not text but leaves, windows or fences. Reading decides; at this stage missing a line is the worse error.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from sightline.text.reading.boxes import Rect, are_in_line, overlap_area
from sightline.text.reading.frame_view import FrameView, Gray, Layer, halve
from sightline.text.reading.line_ends import follow_ink

MIN_LINE_HEIGHT, MAX_LINE_HEIGHT = 7, 36
"""Heights of lines, in pixels of the searched layer; smaller and larger lines are found in other layers."""
MIN_COARSE_LINE_HEIGHT = 10
"""In the coarser layers; finer layers show lower lines better."""
MIN_CLEAR_GRADIENT, MIN_FAINT_GRADIENT = 80, 28
"""Gradients that count as a stroke: clear ones stand out of a busy picture, faint ones suffice on an even one."""
LAYER_COUNT = 3
MIN_STATIC_INK_SHARE = 0.55
"""The share of a line's ink that must be static, in frames with motion."""

_LONG_ROW, _LONG_COLUMN = np.ones((1, 61), np.uint8), np.ones((45, 1), np.uint8)
_BETWEEN_LETTERS, _SPECK = np.ones((3, 13), np.uint8), np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class LineCandidate:
    """A rectangle that may hold a line of text, in pixels of the original."""

    rect: Rect
    scale: int
    """The scale of the layer it was found in."""


def find_lines(view: FrameView, *, static: Gray | None, excluded: Iterable[Rect] = ()) -> list[LineCandidate]:
    """Candidates by layer, faint before clear. `static` is the mask of static pixels in the work layer; None means all of them.

    Nothing is searched for inside `excluded`.
    """
    layer, still = view.work, static
    free = _free_mask(view, excluded)
    found: list[LineCandidate] = []
    for number in range(LAYER_COUNT):
        if number:
            layer = view.layer(layer.scale * 2)
            still = None if still is None else _halved_mask(still)
        min_height = MIN_LINE_HEIGHT if number == 0 else MIN_COARSE_LINE_HEIGHT
        mask = _shrunk(free, layer)
        found += [
            candidate
            for candidate in _in_layer(layer, still, mask)
            if candidate.rect.height >= min_height * layer.scale
        ]
    if static is None and view.work.scale > 1:
        found += [candidate for candidate in _in_layer(view.full, None, free) if _is_small_line(candidate.rect)]
    return _distinct(found)


def _is_small_line(rect: Rect) -> bool:
    """Lower than lines that are found at half size, and wider than a speck or a part of a letter."""
    return rect.height <= 2 * MIN_LINE_HEIGHT + 2 and rect.width >= 2 * rect.height


def _in_layer(layer: Layer, still: Gray | None, free: Gray | None) -> list[LineCandidate]:
    found = []
    for min_gradient in (MIN_FAINT_GRADIENT, MIN_CLEAR_GRADIENT):
        ink = cv2.threshold(layer.gradient, min_gradient, 255, cv2.THRESH_BINARY)[1]
        usable = ink if still is None else cv2.bitwise_and(ink, still)
        if free is not None:
            usable = cv2.bitwise_and(usable, free)
        if cv2.countNonZero(usable) < 20:
            continue
        for rect in _joined(_rows_of_ink(usable)):
            if still is not None and not _is_static(usable, ink, rect):
                continue
            whole = follow_ink(layer.gradient, rect)
            if whole is not None:
                found.append(LineCandidate(whole.scaled(layer.scale), layer.scale))
    return found


def _rows_of_ink(ink: Gray) -> list[Rect]:
    # Long straight strokes are borders of plates and tables, and would join separate lines.
    ink = cv2.subtract(ink, cv2.morphologyEx(ink, cv2.MORPH_OPEN, _LONG_ROW))
    ink = cv2.subtract(ink, cv2.morphologyEx(ink, cv2.MORPH_OPEN, _LONG_COLUMN))
    rows = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, _BETWEEN_LETTERS)
    rows = cv2.morphologyEx(rows, cv2.MORPH_OPEN, _SPECK)
    found = []
    for outline in cv2.findContours(rows, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        x, y, wide, high = cv2.boundingRect(outline)
        if high < MIN_LINE_HEIGHT or high > 2.4 * MAX_LINE_HEIGHT or wide < max(5, 0.35 * high):
            continue
        if cv2.countNonZero(rows[y : y + high, x : x + wide]) < 0.35 * wide * high:
            continue
        for top, bottom in _bands(ink[y : y + high, x : x + wide]):
            if MIN_LINE_HEIGHT <= bottom - top <= MAX_LINE_HEIGHT:
                found.append(Rect(x, y + top, wide, bottom - top))
    return found


def _bands(ink: np.ndarray) -> list[tuple[int, int]]:  # a slice of Gray
    """Splits lines that touch at the rows with almost no ink."""
    height, width = ink.shape
    if height < 2 * MIN_LINE_HEIGHT + 2:
        return [(0, height)]
    density = np.count_nonzero(ink, axis=1) / width
    has_ink = np.concatenate(([False], density > 0.18 * np.percentile(density, 90), [False]))
    changes = np.flatnonzero(has_ink[1:] != has_ink[:-1])
    bands = [(int(a), int(b)) for a, b in zip(changes[::2], changes[1::2], strict=True) if b - a >= MIN_LINE_HEIGHT]
    if len(bands) < 2:
        return [(0, height)]
    return [(max(0, top - 2), min(height, bottom + 2)) for top, bottom in bands]


def _joined(pieces: list[Rect]) -> list[Rect]:
    """Joins the pieces of each line; words far apart stay separate."""
    remaining = sorted(pieces)
    found = []
    while remaining:
        line = remaining.pop(0)
        number = 0
        while number < len(remaining) and remaining[number].x <= line.right + MAX_LINE_HEIGHT:
            if are_in_line(line, remaining[number]):
                other = remaining.pop(number)
                x, y = min(line.x, other.x), min(line.y, other.y)
                line = Rect(x, y, max(line.right, other.right) - x, max(line.bottom, other.bottom) - y)
                number = 0
            else:
                number += 1
        found.append(line)
    return found


def _is_static(usable: Gray, ink: Gray, rect: Rect) -> bool:
    part = rect.slices()
    return cv2.countNonZero(usable[part]) >= MIN_STATIC_INK_SHARE * cv2.countNonZero(ink[part])


def _distinct(candidates: list[LineCandidate]) -> list[LineCandidate]:
    """Without duplicates that another layer or gradient found as well."""
    kept: list[LineCandidate] = []
    for candidate in candidates:
        rect = candidate.rect
        if not any(overlap_area(rect, one.rect) > 0.8 * max(rect.area, one.rect.area) for one in kept):
            kept.append(candidate)
    return kept


def _free_mask(view: FrameView, excluded: Iterable[Rect]) -> Gray | None:
    rects = list(excluded)
    if not rects:
        return None
    mask: Gray = np.full(view.full.gray.shape, 255, np.uint8)
    for rect in rects:
        mask[rect.slices(margin=6)] = 0
    return mask


def _shrunk(free: Gray | None, layer: Layer) -> Gray | None:
    if free is None or layer.scale == 1:
        return free
    height, width = layer.gray.shape
    return cv2.resize(free, (width, height), interpolation=cv2.INTER_NEAREST).astype(np.uint8, copy=False)


def _halved_mask(mask: Gray) -> Gray:
    return cv2.threshold(halve(mask), 127, 255, cv2.THRESH_BINARY)[1].astype(np.uint8, copy=False)
