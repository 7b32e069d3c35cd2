"""The skeleton that poses are compared by: 13 joints of a person, made of the 17 points of COCO. Pure."""

import numpy as np
from numpy.typing import NDArray

JOINTS = (
    "head",
    "left shoulder",
    "right shoulder",
    "left elbow",
    "right elbow",
    "left wrist",
    "right wrist",
    "left hip",
    "right hip",
    "left knee",
    "right knee",
    "left ankle",
    "right ankle",
)
JOINT_COUNT = len(JOINTS)
HEAD, SHOULDERS, HIPS, KNEES, ANKLES = 0, (1, 2), (7, 8), (9, 10), (11, 12)
MIRRORED = (0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11)
"""The joint that each one becomes in a mirror."""
MIN_CERTAINTY = 0.1
"""A point below this certainty counts as not seen."""

Poses = NDArray[np.float32]
"""(…, 13, 3): x and y, y downwards, in any unit that is the same for both, and 1 if the joint was seen, else 0."""

_FACE = slice(0, 5)
_BODY = slice(5, 17)


def from_coco(points: NDArray[np.float32], *, min_certainty: float = MIN_CERTAINTY) -> Poses:
    """`points` is (…, 17, 3): x, y and certainty. The face becomes one point, the mean of what is seen of it."""
    seen = points[..., 2:3] >= min_certainty
    weights = points[..., _FACE, 2:3] * seen[..., _FACE, :]
    total = weights.sum(axis=-2)
    head = (points[..., _FACE, :2] * weights).sum(axis=-2) / np.maximum(total, 1e-6)
    heads = np.concatenate([head, (total > 0).astype(np.float32)], axis=-1)[..., None, :]
    body = np.concatenate([points[..., _BODY, :2], seen[..., _BODY, :].astype(np.float32)], axis=-1)
    found: Poses = np.concatenate([heads, body], axis=-2).astype(np.float32)
    found[..., :2] *= found[..., 2:3]
    return found


def mirrored(poses: Poses) -> Poses:
    """The same poses seen in a mirror: x is turned round, and left is right."""
    turned: Poses = poses[..., MIRRORED, :] * np.array([-1, 1, 1], np.float32)
    return turned
