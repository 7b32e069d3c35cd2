"""Cameras and pose models, simulated: pairs in 3D become the joints that a pose model would find in a picture of them.

What real pose models do wrong with two people in a knot is done here: joints that are hidden by a body are missed or guessed,
limbs are given to the other person, left and right are mixed up, and a part of a person is cut off or not found at all.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grapplemap.bodies import varied
from grapplemap.data_file import TO_SKELETON
from sightline.techniques.pose.skeleton import JOINT_COUNT, MIRRORED, Poses

_LIMBS = ((3, 5), (4, 6), (9, 11), (10, 12))
_LEGS = (9, 10, 11, 12)
_SEGMENTS = np.array(
    [(0, 1), (0, 2), (1, 7), (2, 8), (1, 8), (2, 7), (1, 3), (2, 4), (3, 5), (4, 6), (7, 9), (8, 10), (9, 11), (10, 12)]
)
_RADII = np.array(
    [0.09, 0.09, 0.12, 0.12, 0.12, 0.12, 0.055, 0.055, 0.045, 0.045, 0.085, 0.085, 0.06, 0.06], np.float32
)
"""Half the thickness of the body around each segment, in metres."""


@dataclass(frozen=True, slots=True)
class Noise:
    """`missed` and `hidden_missed` are the chances of a joint in sight and of a hidden one to be missed; the others are chances
    per limb or person."""

    missed: float
    hidden_missed: float
    jitter: float
    """Of a joint in sight, in parts of a body's height; of hidden ones three times that."""
    stolen_limb: float
    swapped_limb: float
    swapped_person: float
    cut_legs: float
    joint_m: float = 0.0
    """Deviation of the pose itself, in metres: nobody holds a position exactly as it is drawn."""

    def scaled(self, share: "NDArray[np.float32]") -> "tuple[NDArray[np.float32], ...]":
        names = ("missed", "hidden_missed", "jitter", "stolen_limb", "swapped_limb", "swapped_person", "cut_legs")
        return tuple((share * getattr(self, name)).astype(np.float32) for name in names)


PERSISTENCE = 0.5
"""How often a joint of a look is missed or found as it was in the first look of the same camera."""
LEVELS = {
    "low": Noise(0.06, 0.38, 0.010, 0.02, 0.04, 0.04, 0.03),
    "medium": Noise(0.13, 0.59, 0.018, 0.05, 0.08, 0.08, 0.07),
    "high": Noise(0.28, 0.79, 0.030, 0.10, 0.15, 0.15, 0.14),
}
"""So that 20, 34 and 52 % of the joints are missing."""
TRAINING = Noise(0.40, 0.95, 0.034, 0.12, 0.18, 0.18, 0.18, joint_m=0.03)
"""Training takes a random share of this, from none to all."""


def photographed(
    frames: NDArray[np.float32],
    rng: np.random.Generator,
    noise: Noise,
    *,
    is_training: bool = False,
    looks_per_camera: int = 1,
) -> Poses:
    """One random picture of each pair; `frames` is (n, 2, 23, 3), the result (n, 2, 13, 3). So many in a row share a camera."""
    joints = frames[:, :, TO_SKELETON]
    share = (
        rng.uniform(0, 1, (len(joints), 1, 1)).astype(np.float32)
        if is_training
        else np.ones((len(joints), 1, 1), np.float32)
    )
    if is_training:
        joints = varied(joints, rng, noise.joint_m)
    points, depths, focal = _projected(joints, rng, looks_per_camera)
    hidden = _hidden(points, depths, focal)
    return _as_found(points, hidden, share, noise, rng, looks_per_camera)


def _projected(
    joints: NDArray[np.float32], rng: np.random.Generator, looks_per_camera: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Points in the picture in parts of a body's height, their depths in metres, and metres per part at each depth."""
    count = len(joints) // looks_per_camera
    yaw = rng.uniform(0, 2 * np.pi, count)
    pitch = np.radians(np.clip(rng.gamma(2.0, 9.0, count) - 3, -5, 60))
    roll = np.radians(rng.normal(0, 4, count))
    away = rng.uniform(2.2, 9.0, count)
    shift = np.stack([rng.normal(0, 0.12, count) * away, rng.normal(0, 0.06, count) * away, np.zeros(count)], axis=1)
    yaw, pitch, roll, away, shift = (
        np.repeat(one, looks_per_camera, axis=0) for one in (yaw, pitch, roll, away, shift)
    )
    centred = joints - joints.mean(axis=(1, 2), keepdims=True)
    turning = _rotations(yaw, pitch, roll).astype(np.float32)
    flat = centred.reshape(len(joints), -1, 3) @ turning.transpose(0, 2, 1)
    turned = flat.reshape(joints.shape) + shift[:, None, None].astype(np.float32)
    away = away.astype(np.float32)
    depths = np.maximum(turned[..., 2] + away[:, None, None], np.float32(0.5))
    scale = away[:, None, None] / depths
    points = np.stack([turned[..., 0] * scale, -turned[..., 1] * scale], axis=-1)
    return points.astype(np.float32), depths.astype(np.float32), scale.astype(np.float32)


def _rotations(yaw: NDArray[np.float64], pitch: NDArray[np.float64], roll: NDArray[np.float64]) -> NDArray[np.float64]:
    zero, one = np.zeros_like(yaw), np.ones_like(yaw)

    def matrix(*values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack(values, axis=1).reshape(-1, 3, 3)

    around = matrix(np.cos(yaw), zero, np.sin(yaw), zero, one, zero, -np.sin(yaw), zero, np.cos(yaw))
    # A camera that looks down sees what is farther away higher up in the picture.
    down = matrix(one, zero, zero, zero, np.cos(pitch), np.sin(pitch), zero, -np.sin(pitch), np.cos(pitch))
    tilt = matrix(np.cos(roll), -np.sin(roll), zero, np.sin(roll), np.cos(roll), zero, zero, zero, one)
    return tilt @ down @ around


def _hidden(points: NDArray[np.float32], depths: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether a part of a body is between each joint and the camera."""
    count = len(points)
    every = np.concatenate([_SEGMENTS, _SEGMENTS + JOINT_COUNT])
    x, y, deep, size = (
        points[..., 0].reshape(count, -1),
        points[..., 1].reshape(count, -1),
        *(one.reshape(count, -1) for one in (depths, scale)),
    )
    from_x, from_y, from_deep = (one[:, None, every[:, 0]] for one in (x, y, deep))
    along_x, along_y, along_deep = (one[:, None, every[:, 1]] - one[:, None, every[:, 0]] for one in (x, y, deep))
    to_x, to_y = x[:, :, None] - from_x, y[:, :, None] - from_y
    length = np.maximum(along_x**2 + along_y**2, np.float32(1e-6))
    part = np.clip((to_x * along_x + to_y * along_y) / length, 0, 1)
    gap = (to_x - part * along_x) ** 2 + (to_y - part * along_y) ** 2
    radii = np.concatenate([_RADII, _RADII]) * size[:, every[:, 0]]
    own = np.zeros((2 * JOINT_COUNT, len(every)), bool)
    own[every[:, 0], np.arange(len(every))] = own[every[:, 1], np.arange(len(every))] = True
    covers = (gap < radii[:, None] ** 2) & (from_deep + part * along_deep < deep[:, :, None] - np.float32(0.12)) & ~own
    return covers.any(axis=2).reshape(count, 2, JOINT_COUNT)


def _as_found(
    points: NDArray[np.float32],
    hidden: NDArray[np.bool_],
    share: NDArray[np.float32],
    noise: Noise,
    rng: np.random.Generator,
    looks_per_camera: int,
) -> Poses:
    count = len(points)
    missed, hidden_missed, jitter, stolen, swapped_limb, swapped_person, cut = noise.scaled(share)
    spread = np.where(hidden, 3 * jitter, jitter)[..., None] * 1.7
    found = points + rng.normal(0, 1, points.shape).astype(np.float32) * spread
    chance = np.where(hidden, hidden_missed, missed)
    draws = rng.random(chance.shape, np.float32)
    if looks_per_camera > 1:  # a joint that a model misses once, it often misses again
        again = np.repeat(draws[::looks_per_camera], looks_per_camera, axis=0)
        draws = np.where(rng.random(chance.shape, np.float32) < PERSISTENCE, again, draws)
    seen = draws >= chance
    for limb in _LIMBS:  # a limb is given to the other person, who keeps the own one or loses it
        for person in (0, 1):
            taken = rng.random(count) < stolen[:, 0, 0]
            for joint in limb:
                found[taken, person, joint] = found[taken, 1 - person, joint] + rng.normal(
                    0, 0.02, (int(taken.sum()), 2)
                )
                seen[taken, person, joint] = seen[taken, 1 - person, joint]
                lost = taken & (rng.random(count) < 0.5)
                seen[lost, 1 - person, joint] = False
    for person in (0, 1):
        for left, right in ((_LIMBS[0], _LIMBS[1]), (_LIMBS[2], _LIMBS[3])):
            mixed = rng.random(count) < swapped_limb[:, 0, 0]
            both, other = [*left, *right], [*right, *left]
            rows = np.flatnonzero(mixed)[:, None]
            found[rows, person, both] = found[rows, person, other]
            seen[rows, person, both] = seen[rows, person, other]
        mixed = rng.random(count) < swapped_person[:, 0, 0]
        found[mixed, person] = found[mixed, person][:, MIRRORED]
        seen[mixed, person] = seen[mixed, person][:, MIRRORED]
        without_legs = rng.random(count) < cut[:, 0, 0]
        seen[np.flatnonzero(without_legs)[:, None], person, list(_LEGS)] = False
    return np.concatenate([found * seen[..., None], seen[..., None]], axis=-1).astype(np.float32)
