"""Splitting of boxes that reach over several plates, such as those of a score bar, which the network takes for one line. Pure."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.frame_view import Color

MAX_SPREAD = 14.0
"""Between the pixels of a column that has no ink, from the ground to what compression adds."""
MIN_STEP = 48.0
"""Between the grounds of two plates, in the channel that differs most."""
MAX_EDGE = 3
"""Columns over which one ground changes into the other."""
MIN_GROUND = 2
"""Columns without ink on either side of an edge."""
MIN_GAP = 0.3
"""Of the height of the box, between the ink of two plates. A word that is marked within a line is closer to the next."""
MIN_WIDTH = 0.3
"""Of the height of the box: a narrower part holds no letter."""
MIDDLE = 0.64
"""Of the height of the box, that is looked at: the box may be higher than the plate."""
_MARGIN = 0.25

Columns = NDArray[np.float32]


def split_plates(picture: Color, box: TextBox) -> list[TextBox]:
    """The box, or one per plate that it reaches over. A marked stretch with the same ground on both of its sides is no plate, and
    neither is the stroke of a large letter."""
    rect = box.rect
    if box.corners is not None or rect.width < 2 * rect.height or rect.height < 2 * MAX_EDGE:
        return [box]
    outside = round((1 - MIDDLE) / 2 * rect.height)
    pixels = picture[rect.slices()][outside : rect.height - outside].astype(np.float32)
    grounds: Columns = np.median(pixels, axis=0).astype(np.float32)
    is_empty = np.percentile(np.abs(pixels - grounds).max(axis=2), 90, axis=0) <= MAX_SPREAD
    edges = _edges(grounds, is_empty, min_gap=MIN_GAP * rect.height)
    if not edges:
        return [box]
    sides = [0, *edges, rect.width]
    parts = list(itertools.pairwise(sides))
    colours = [np.median(grounds[start:end][is_empty[start:end]], axis=0) for start, end in parts]
    neighbours = [*itertools.pairwise(colours), *zip(colours, colours[2:], strict=False)]
    if any(_step(one, other) < MIN_STEP for one, other in neighbours):
        return [box]
    with_ink = [
        one for start, end in parts if (one := _inked(rect, start, end, is_empty)).width >= MIN_WIDTH * rect.height
    ]
    return [TextBox(one, box.score) for one in with_ink] if len(with_ink) > 1 else [box]


def _edges(grounds: Columns, is_empty: NDArray[np.bool_], *, min_gap: float) -> list[int]:
    """Columns where the ground changes between two stretches without ink."""
    runs = [one for one in _runs(is_empty) if one[1] - one[0] >= MIN_GROUND]
    found = []
    for (start, end), (following, last) in itertools.pairwise(_split_at_steps(runs, grounds)):
        if following - end > MAX_EDGE or min(end - start, last - following) < MIN_GROUND or last - start < min_gap:
            continue
        if _step(grounds[start:end].mean(axis=0), grounds[following:last].mean(axis=0)) >= MIN_STEP:
            found.append((end + following) // 2)
    return found


def _split_at_steps(runs: Sequence[tuple[int, int]], grounds: Columns) -> list[tuple[int, int]]:
    """Where one ground changes into the other from one column to the next, both lie in one stretch without ink."""
    found = []
    for start, end in runs:
        steps = np.abs(np.diff(grounds[start:end], axis=0)).max(axis=1)
        cuts = [start + int(at) + 1 for at in np.flatnonzero(steps >= MIN_STEP / 2)]
        found += [one for one in itertools.pairwise([start, *cuts, end]) if one[1] - one[0] >= MIN_GROUND]
    return found


def _runs(is_set: NDArray[np.bool_]) -> list[tuple[int, int]]:
    padded = np.concatenate(([False], is_set, [False]))
    changes = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
    return list(zip(changes[::2], changes[1::2], strict=True))


def _step(one: Columns, other: Columns) -> float:
    return float(np.abs(one - other).max())


def _inked(rect: Rect, start: int, end: int, is_empty: NDArray[np.bool_]) -> Rect:
    """The part from its first to its last ink, with a margin inside of its plate."""
    ink = np.flatnonzero(~is_empty[start + MAX_EDGE : end - MAX_EDGE])
    if not ink.size:
        return Rect(rect.x + start, rect.y, 0, rect.height)
    margin = round(_MARGIN * rect.height)
    left = max(start, start + MAX_EDGE + int(ink[0]) - margin)
    right = min(end, start + MAX_EDGE + int(ink[-1]) + 1 + margin)
    return Rect(rect.x + left, rect.y, right - left, rect.height)
