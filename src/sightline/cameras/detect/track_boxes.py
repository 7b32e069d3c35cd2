"""Boxes of a track over time, thinned to those between which it moves evenly. Pure."""

from collections.abc import Sequence

from sightline.geometry import Box

TimedBox = tuple[int, Box]
"""Time in ms, and where the object was."""
TOLERANCE = 0.008
"""How far a box that is left out may lie from where it would be drawn, in parts of the picture."""
MAX_GAP_MS = 4000
"""Boxes further apart are kept, so that nothing is drawn where an object was hidden for long."""


def thinned(boxes: Sequence[TimedBox], *, tolerance: float = TOLERANCE) -> list[TimedBox]:
    """The first, the last, and every box that the line between kept ones misses by more than the tolerance."""
    if len(boxes) <= 2:
        return list(boxes)
    kept = {0, len(boxes) - 1}
    waiting = [(0, len(boxes) - 1)]
    while waiting:
        first, last = waiting.pop()
        worst, distance = -1, tolerance
        for index in range(first + 1, last):
            found = _distance(boxes[index], boxes[first], boxes[last])
            if found > distance:
                worst, distance = index, found
        if worst >= 0:
            kept.add(worst)
            waiting += [(first, worst), (worst, last)]
    for index in range(1, len(boxes)):
        if boxes[index][0] - boxes[index - 1][0] >= MAX_GAP_MS:
            kept |= {index - 1, index}
    return [boxes[index] for index in sorted(kept)]


def _distance(box: TimedBox, before: TimedBox, after: TimedBox) -> float:
    share = (box[0] - before[0]) / max(after[0] - before[0], 1)
    return max(
        abs(here - (start + share * (end - start)))
        for here, start, end in zip(box[1], before[1], after[1], strict=True)
    )
