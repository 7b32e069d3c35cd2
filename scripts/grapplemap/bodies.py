"""Other bodies in the same position, for training: limbs bent otherwise, the two moved against each other, other sizes.

GrappleMap has a few hundred positions; people hold each of them in many ways, and what was not drawn lies between and beside them.
"""

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.skeleton import MIRRORED

Array = NDArray[np.float32]

_ARMS, _LEGS = ((1, 3, 5), (2, 4, 6)), ((7, 9, 11), (8, 10, 12))
_ARM_DEGREES, _LEG_DEGREES = (25, 30), (15, 22)
"""How far a limb is turned about where it is fixed, and its lower half about its middle: standard deviations."""
_HEAD_DEGREES = 10
_BODY_DEGREES = np.array([9, 14, 9], np.float32)
"""About the axes of the room; the second is upright."""
_MOVED_M = 0.06


def varied(joints: Array, rng: np.random.Generator, joint_m: float) -> Array:
    """`joints` is (n, 2, 13, 3), in metres. Each joint is `joint_m` elsewhere too; half are in a mirror or in the other order."""
    return _in_any_order(_stretched(bent(joints, rng), rng, joint_m), rng)


def bent(joints: Array, rng: np.random.Generator) -> Array:
    found = joints.copy()
    share = rng.uniform(0, 1, (len(joints), 2, 1)).astype(np.float32)

    def turn(parts: tuple[int, ...], about: Array, degrees: "float | Array") -> None:
        by = rng.normal(0, 1, (len(found), 2, 3)).astype(np.float32) * np.radians(degrees) * share
        apart = found[:, :, parts] - about[:, :, None]
        found[:, :, parts] = np.einsum("npab,npkb->npka", _rotations(by), apart) + about[:, :, None]

    for limbs, (whole, half) in ((_ARMS, _ARM_DEGREES), (_LEGS, _LEG_DEGREES)):
        for root, middle, end in limbs:
            turn((middle, end), found[:, :, root].copy(), whole)
            turn((end,), found[:, :, middle].copy(), half)
    turn((0,), found[:, :, 1].copy(), _HEAD_DEGREES)
    turn(tuple(range(found.shape[2])), found.mean(axis=2), _BODY_DEGREES)
    found += rng.normal(0, _MOVED_M, (len(found), 2, 1, 3)).astype(np.float32) * share[..., None]
    found[..., 1] -= np.minimum(found[..., 1].min(axis=(1, 2)), 0)[:, None, None]  # nobody lies under the mat
    return found


def _rotations(by: Array) -> Array:
    """Matrices (…, 3, 3) of turns about axes, in radians, by their lengths."""
    angle = np.linalg.norm(by, axis=-1, keepdims=True)
    x, y, z = np.moveaxis(by / np.maximum(angle, 1e-8), -1, 0)
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    sine, cosine = np.sin(angle)[..., None], np.cos(angle)[..., None]
    found: Array = (np.eye(3) + sine * cross + (1 - cosine) * (cross @ cross)).astype(np.float32)
    return found


def _stretched(joints: Array, rng: np.random.Generator, joint_m: float) -> Array:
    count = len(joints)
    stretch = rng.normal(1, 0.06, (count, 1, 1, 3)).astype(np.float32)
    shear = rng.normal(0, 0.05, (count, 3, 3)).astype(np.float32) * (1 - np.eye(3, dtype=np.float32))
    sizes = rng.normal(1, 0.05, (count, 2, 1, 1)).astype(np.float32)
    middle = joints.mean(axis=2, keepdims=True)
    found = (joints - middle) * sizes + middle
    found = found * stretch + np.einsum("npjc,nck->npjk", found, shear)
    moved: Array = (found + rng.normal(0, joint_m, found.shape)).astype(np.float32)
    return moved


def _in_any_order(joints: Array, rng: np.random.Generator) -> Array:
    mirror = rng.random(len(joints)) < 0.5
    joints[mirror] = joints[mirror][:, :, MIRRORED] * np.array([-1, 1, 1], np.float32)
    swap = rng.random(len(joints)) < 0.5
    joints[swap] = joints[swap][:, ::-1]
    return joints
