"""Features of a pair of people: numbers that do not depend on where the pair stands and how large it is. Pure.

Gravity is kept: cameras are held upright, and who is above whom matters most.
"""

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.skeleton import HIPS, JOINT_COUNT, SHOULDERS, Poses, mirrored

Features = NDArray[np.float32]
"""(count, FEATURE_COUNT)."""

_SEGMENTS = ((1, 3), (2, 4), (3, 5), (4, 6), (7, 9), (8, 10), (9, 11), (10, 12), (1, 2), (7, 8))
_TORSO_SEGMENTS = 2
FEATURE_COUNT = (
    2 * JOINT_COUNT * 3 + 2 * JOINT_COUNT**2 + 2 * 2 * (len(_SEGMENTS) + _TORSO_SEGMENTS) + 2 * 2 * JOINT_COUNT
)
MIN_TORSO = 0.25
"""In units of the pair's size. A torso that points at the camera looks short, and would make everything else look far away."""
MAX_VALUE = 4.0


def pair_features(pairs: Poses) -> Features:
    """`pairs` is (count, 2, 13, 3)."""
    points, seen = _normalised(pairs)
    first, second = points[:, 0], points[:, 1]
    both = seen[:, 0, :, None] * seen[:, 1, None, :]
    apart = first[:, :, None, :] - second[:, None, :, :]
    distances = np.sqrt((apart**2).sum(axis=-1)) * both
    heights = apart[..., 1] * both
    torsos = [_torso(points[:, one], seen[:, one]) for one in (0, 1)]
    parts = [
        points.reshape(len(pairs), -1),
        seen.reshape(len(pairs), -1),
        distances.reshape(len(pairs), -1),
        heights.reshape(len(pairs), -1),
        *(_directions(points[:, one], seen[:, one], torsos[one]) for one in (0, 1)),
        _in_torso(first, seen[:, 0], torsos[1]),
        _in_torso(second, seen[:, 1], torsos[0]),
    ]
    found: Features = np.clip(np.concatenate(parts, axis=1), -MAX_VALUE, MAX_VALUE).astype(np.float32)
    return found


def views(pairs: Poses) -> list[Features]:
    """The features of both orders of the people, as seen and in a mirror: what a pair is called depends on none of that."""
    swapped = pairs[:, ::-1]
    return [pair_features(one) for one in (pairs, swapped, mirrored(pairs), mirrored(swapped))]


def _normalised(pairs: Poses) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Points around the middle of the pair in units of its size, zero where not seen; and what was seen."""
    seen = pairs[..., 2]
    weights = seen[..., None]
    count = np.maximum(weights.sum(axis=(1, 2), keepdims=True), 1)
    centred = pairs[..., :2] - (pairs[..., :2] * weights).sum(axis=(1, 2), keepdims=True) / count
    size = np.sqrt(((centred**2) * weights).sum(axis=(1, 2, 3), keepdims=True) / count)
    return (centred / np.maximum(size, 1e-6) * weights).astype(np.float32), seen.astype(np.float32)


def _middle(
    points: NDArray[np.float32], seen: NDArray[np.float32], joints: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    weights = seen[:, joints, None]
    count = weights.sum(axis=1)
    return (points[:, joints] * weights).sum(axis=1) / np.maximum(count, 1), (count[:, 0] > 0).astype(np.float32)


Torso = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
"""Middle of the hips, middle of the shoulders, and whether each was seen."""


def _torso(points: NDArray[np.float32], seen: NDArray[np.float32]) -> Torso:
    hips, hips_seen = _middle(points, seen, HIPS)
    shoulders, shoulders_seen = _middle(points, seen, SHOULDERS)
    return hips, shoulders, hips_seen, shoulders_seen


def _directions(points: NDArray[np.float32], seen: NDArray[np.float32], torso: Torso) -> NDArray[np.float32]:
    """Where the parts of a body point to: unit vectors, zero where not seen."""
    hips, shoulders, hips_seen, shoulders_seen = torso
    starts, ends = (list(side) for side in zip(*_SEGMENTS, strict=True))
    vectors = points[:, ends] - points[:, starts]
    known = seen[:, ends] * seen[:, starts]
    trunk = shoulders - hips
    neck = points[:, 0] - shoulders
    vectors = np.concatenate([vectors, trunk[:, None], neck[:, None]], axis=1)
    trunk_known, neck_known = hips_seen * shoulders_seen, shoulders_seen * seen[:, 0]
    known = np.concatenate([known, trunk_known[:, None], neck_known[:, None]], axis=1)
    lengths = np.sqrt((vectors**2).sum(axis=-1, keepdims=True))
    units = vectors / np.maximum(lengths, 1e-3) * known[..., None]
    found: NDArray[np.float32] = units.reshape(len(points), -1).astype(np.float32)
    return found


def _in_torso(points: NDArray[np.float32], seen: NDArray[np.float32], torso: Torso) -> NDArray[np.float32]:
    """Joints as the other's body sees them: along its trunk, and across it."""
    hips, shoulders, hips_seen, shoulders_seen = torso
    trunk = shoulders - hips
    length = np.sqrt((trunk**2).sum(axis=1, keepdims=True))
    along = trunk / np.maximum(length, 1e-3)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    known = seen * (hips_seen * shoulders_seen)[:, None]
    relative = (points - hips[:, None]) / np.maximum(length, MIN_TORSO)[:, None]
    frame = np.stack([(relative * along[:, None]).sum(-1), (relative * across[:, None]).sum(-1)], axis=-1)
    return (frame * known[..., None]).reshape(len(points), -1).astype(np.float32)
