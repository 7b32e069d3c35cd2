"""Boxes: overlap, and parts of pictures. Pure."""

import numpy as np
from numpy.typing import NDArray

from sightline.vision.detector import Box

Boxes = NDArray[np.float32]
"""(count, 4): x, y, width, height."""


def overlaps(box: Boxes, others: Boxes) -> NDArray[np.float32]:
    """Intersection over union of one box, `(4,)`, with each of the others."""
    shared = _shared_area(box, others)
    union = box[2] * box[3] + others[:, 2] * others[:, 3] - shared
    return np.where(union > 0, shared / np.maximum(union, 1e-12), 0).astype(np.float32)


def clip(boxes: Boxes) -> Boxes:
    """The part of each box that lies inside the picture."""
    starts = np.clip(boxes[:, :2], 0, 1)
    ends = np.clip(boxes[:, :2] + boxes[:, 2:], 0, 1)
    return np.concatenate([starts, np.maximum(ends - starts, 0)], axis=1).astype(np.float32)


def from_part(boxes: Boxes, part: Box) -> Boxes:
    """Boxes within a part of the picture, as boxes of the whole."""
    x, y, width, height = part
    scale = np.array([width, height, width, height], np.float32)
    return (boxes * scale + np.array([x, y, 0, 0], np.float32)).astype(np.float32)


def _shared_area(box: Boxes, others: Boxes) -> NDArray[np.float32]:
    starts = np.maximum(box[:2], others[:, :2])
    ends = np.minimum(box[:2] + box[2:], others[:, :2] + others[:, 2:])
    sides = np.clip(ends - starts, 0, None)
    area: NDArray[np.float32] = sides[:, 0] * sides[:, 1]
    return area
