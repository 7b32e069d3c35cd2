"""Lone signs: brackets on lines of their own, as in code, which text detectors take for no text. Pure.

They are found by their shape: small, on a line of their own, and within a block of lines of the same height.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from sightline.text.reading.boxes import Rect, TextBox, bounding_rect, covers, overlap_area
from sightline.text.reading.frame_view import KERNEL_3, Gray

MIN_LINES = 3
"""Of a block."""
MAX_LINES_APART = 3.0
"""From a line of the block, in heights of its box."""
MAX_INDENT = 8.0
"""How far a sign may stand outside of the block's left end, in heights of a box."""
MIN_HEIGHT, MAX_HEIGHT, MAX_WIDTH = 0.3, 0.85, 1.1
"""Of a sign, in heights of a line's box, which is about twice as high as its letters."""
MAX_SIGN_SHAPE = 1.8
"""Width of a box by its height, of a sign or two; what is wider is a line."""
MAX_COVERED = 0.4
"""The share of a sign that a line's box may cover: boxes of close lines overlap."""
MARGIN_BESIDE, MARGIN_ABOVE = 0.18, 0.1
"""Around a sign when it is read; with more it is lost in the ground."""
MAX_SIGNS = 24
MIN_GRADIENT = 24.0


def with_lone_signs(gray: Gray, area: Rect, boxes: Sequence[TextBox], known: Sequence[Rect]) -> list[TextBox]:
    """The boxes found in the area, with those of lone signs; `known` are texts that are followed already.

    A box around a sign is often too narrow, and is replaced.
    """
    lines = [rect for rect in (*known, *(box.rect for box in boxes)) if rect.width > MAX_SIGN_SHAPE * rect.height]
    if len(lines) < MIN_LINES:
        return list(boxes)
    high = float(np.median([rect.height for rect in lines]))
    block = [rect for rect in lines if 0.75 * high <= rect.height <= 1.3 * high]
    size = gray.shape[1], gray.shape[0]
    near = (
        _within(area, bounding_rect(block).grown(round(MAX_INDENT * high), size)) if len(block) >= MIN_LINES else None
    )
    if near is None:
        return list(boxes)
    taken = [*lines, *known]
    shapes = [
        shape
        for shape in _small_shapes(gray, near, high)
        if _is_in_block(shape, block, high) and not any(covers(rect, shape, MAX_COVERED) for rect in taken)
    ]
    if len(shapes) > MAX_SIGNS:
        return list(boxes)  # a pattern rather than signs
    found = list(boxes)
    for shape in shapes:
        narrow = [box for box in found if box.corners is None and overlap_area(box.rect, shape) > 0]
        narrow = [box for box in narrow if box.rect.width <= MAX_SIGN_SHAPE * box.rect.height]
        found = [box for box in found if box not in narrow]
        score = max((box.score for box in narrow), default=0.0)
        found.append(TextBox(_with_margins(shape, high, size), score, is_lone_in_block=True))
    return found


def _small_shapes(gray: Gray, area: Rect, high: float) -> list[Rect]:
    """Shapes of the size of a sign or two, with nothing beside them."""
    gradient = cv2.morphologyEx(gray[area.slices()], cv2.MORPH_GRADIENT, KERNEL_3)
    strong = cv2.threshold(gradient, MIN_GRADIENT, 1, cv2.THRESH_BINARY)[1].astype(np.uint8, copy=False)
    reach = max(1, round(0.45 * high))
    joined = cv2.morphologyEx(strong, cv2.MORPH_CLOSE, np.ones((1, reach), np.uint8))
    _, _, parts, _ = cv2.connectedComponentsWithStats(joined.astype(np.uint8, copy=False), connectivity=8)
    return [
        Rect(int(x) + area.x, int(y) + area.y, int(wide), int(tall))
        for x, y, wide, tall, _ in parts[1:].tolist()
        if MIN_HEIGHT * high <= tall <= MAX_HEIGHT * high
        and wide <= MAX_WIDTH * high
        # What reaches the border of the area may go on outside.
        and x > 0
        and y > 0
        and x + wide < area.width
        and y + tall < area.height
    ]


def _is_in_block(rect: Rect, block: Sequence[Rect], high: float) -> bool:
    middle = rect.y + rect.height / 2
    if any(line.y + 0.25 * line.height < middle < line.bottom - 0.25 * line.height for line in block):
        return False  # it stands beside a line, as the arrows of menus do
    return any(
        abs(middle - (line.y + line.height / 2)) <= MAX_LINES_APART * high
        and line.x - MAX_INDENT * high <= rect.x <= line.right
        for line in block
    )


def _with_margins(shape: Rect, high: float, size: tuple[int, int]) -> Rect:
    beside, above = max(1, round(MARGIN_BESIDE * high)), max(1, round(MARGIN_ABOVE * high))
    x, y = max(0, shape.x - beside), max(0, shape.y - above)
    return Rect(x, y, min(size[0], shape.right + beside) - x, min(size[1], shape.bottom + above) - y)


def _within(one: Rect, other: Rect) -> Rect | None:
    x, y = max(one.x, other.x), max(one.y, other.y)
    wide, high = min(one.right, other.right) - x, min(one.bottom, other.bottom) - y
    return Rect(x, y, wide, high) if wide > 0 and high > 0 else None
