"""Steadying: the joints of a look, from the looks around it. Pure.

A pose model misses a joint in one look and finds it in the next, or gives it to the wrong limb once. The middle of where looks
within a second and a half show a joint is nearer to where it is.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.pairing import Pair
from sightline.techniques.pose.skeleton import Poses

STEADY_MS = 750
"""Looks this near, before and after, are taken together."""
NEIGHBOURS = 3
"""On either side, at four looks per second."""
MAX_CHANGE = 0.15
"""Of the pair's size: where most joints moved further against each other, the look shows another moment or other people."""

Values = NDArray[np.float32]


def steadied_pairs(at_ms: Sequence[int], pairs: Sequence[Pair]) -> list[Pair]:
    """The same pairs, in order of time, with joints as the looks around them show them."""
    if not pairs:
        return []
    joints = np.stack([np.stack([pair.first.joints, pair.second.joints]) for pair in pairs]).astype(np.float32)
    return [
        Pair(replace(pair.first, joints=own[0]), replace(pair.second, joints=own[1]))
        for pair, own in zip(pairs, steadied(np.array(at_ms, np.int64), joints), strict=True)
    ]


def steadied(at_ms: NDArray[np.int64], pairs: Poses) -> Poses:
    """`pairs` is (count, 2, 13, 3), in order of time. A moving camera does no harm: looks are laid on each other first."""
    flat = pairs.reshape(len(pairs), -1, 3)
    around = [_laid_on(at_ms, flat, offset) for offset in range(-NEIGHBOURS, NEIGHBOURS + 1)]
    points, known = (np.stack(one, axis=1) for one in zip(*around, strict=True))
    joints = np.concatenate([_middle(points, known), np.expand_dims(known.any(axis=1), -1)], axis=-1)
    found: Poses = joints.reshape(pairs.shape).astype(np.float32)
    return found


def _laid_on(at_ms: NDArray[np.int64], flat: Values, offset: int) -> tuple[Values, NDArray[np.bool_]]:
    """The points of the look so many before or after each one, moved to where the pair is in this one; and which are known."""
    number = np.arange(len(flat)) + offset
    other = np.clip(number, 0, len(flat) - 1)
    is_near = (number == other) & (np.abs(at_ms[other] - at_ms) <= STEADY_MS)
    points, seen, own_seen = flat[other, :, :2], flat[other, :, 2] > 0, flat[..., 2] > 0
    both = seen & own_seen
    apart = points - flat[..., :2]
    shift = _middle(apart, both)
    change = _middle(np.sqrt(((apart - shift[:, None]) ** 2).sum(axis=-1, keepdims=True)), both)[:, 0]
    is_same = is_near & both.any(axis=1) & (change <= MAX_CHANGE * _sizes(flat[..., :2], own_seen))
    return points - shift[:, None], seen & is_same[:, None]


def _middle(values: Values, known: NDArray[np.bool_]) -> Values:
    """The median over the second axis of the values that are known, 0 where none is."""
    ordered = np.sort(np.where(known[..., None], values, np.inf), axis=1)
    count = np.expand_dims(known.sum(axis=1, keepdims=True), -1)
    low, high = (np.take_along_axis(ordered, np.maximum(one, 0), axis=1) for one in ((count - 1) // 2, count // 2))
    found: Values = np.where(count > 0, (low + high) / 2, 0)[:, 0].astype(np.float32)
    return found


def _sizes(points: Values, seen: NDArray[np.bool_]) -> Values:
    """The diagonal of the box around each pair."""
    low = np.where(seen[..., None], points, np.inf).min(axis=1)
    high = np.where(seen[..., None], points, -np.inf).max(axis=1)
    found: Values = np.hypot(*(high - low).T)
    return found
