"""Ends of a text line: its ink is followed to both sides, and strokes that reach above or below it are cut off. Pure."""

from typing import Any

import numpy as np

from sightline.text.reading.boxes import Rect
from sightline.text.reading.frame_view import Gray

Columns = Any
"""An array with one boolean per column."""

MAX_REACH = 1.6
"""How far to search on both sides, in heights of the line."""
MAX_WORD_GAP = 0.55
"""The widest space between words, in heights of the line."""
MAX_INK_OUTSIDE_LINE = 0.25
"""With a larger share of ink above and below, the picture is too busy, or the lines too close, to find the ends."""


def follow_ink(gradient: Gray, rect: Rect) -> Rect | None:
    """Returns the line from its first to its last ink; None if nothing is left of it."""
    height, width = gradient.shape
    high = rect.height
    min_gradient = max(12.0, 0.45 * float(np.percentile(gradient[rect.slices()], 92)))
    left, right = max(0, rect.x - int(MAX_REACH * high)), min(width, rect.right + int(MAX_REACH * high))
    top, bottom = max(0, rect.y - int(0.4 * high) - 1), min(height, rect.bottom + int(0.4 * high) + 1)
    ink = gradient[top:bottom, left:right] > min_gradient
    near = max(1, int(0.12 * high))
    has_ink: Columns = ink[rect.y - top : rect.bottom - top].any(axis=0)
    reaches_out: Columns = ink[: max(0, rect.y - top - near)].any(axis=0) | ink[rect.bottom - top + near :].any(axis=0)
    start, end = rect.x - left, rect.right - left
    if reaches_out[start:end].mean() > MAX_INK_OUTSIDE_LINE:
        return rect
    longest_cut = int(0.8 * high)
    cut = np.flatnonzero(reaches_out[start : min(start + longest_cut, end)])
    start += int(cut[-1]) + 1 if len(cut) else 0
    cut = np.flatnonzero(reaches_out[max(end - longest_cut, start) : end])
    end = max(end - longest_cut, start) + int(cut[0]) if len(cut) else end
    start -= _extension(has_ink[:start][::-1], reaches_out[:start][::-1], MAX_WORD_GAP * high)
    end += _extension(has_ink[end:], reaches_out[end:], MAX_WORD_GAP * high)
    if end - start < 0.35 * high:
        return None
    return Rect(left + start, rect.y, end - start, high)


def _extension(has_ink: Columns, reaches_out: Columns, longest_gap: float) -> int:
    """The number of columns next to the line that still belong to it."""
    reached = 0
    for number, (inked, out) in enumerate(zip(has_ink.tolist(), reaches_out.tolist(), strict=True)):
        if out or number - reached > longest_gap:
            break
        if inked:
            reached = number + 1
    return reached
