"""Families of positions: positions that look alike belong to one family, and a family is never split between training and test."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grapplemap.data_file import TO_SKELETON, Entry
from sightline.techniques.pose.skeleton import JOINT_COUNT, MIRRORED

FAMILIES = 149
FOLDS = 4
_PAIRS = np.triu_indices(2 * JOINT_COUNT, 1)


def shape_of(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    """Distances between all joints, and their heights: the same wherever a pair lies and however it is turned.

    `frames` is (n, 2, 23, 3).
    """
    joints = frames[:, :, TO_SKELETON].reshape(len(frames), -1, 3)
    apart = joints[:, _PAIRS[0]] - joints[:, _PAIRS[1]]
    distances = np.sqrt((apart**2).sum(axis=-1))
    return np.concatenate([distances, joints[..., 1] * 3], axis=1).astype(np.float32)


def variants(frames: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Shapes of both orders of the people, as they are and in a mirror."""
    joints = np.array(TO_SKELETON)[list(MIRRORED)]
    mirrored = frames.copy()
    mirrored[:, :, TO_SKELETON] = frames[:, :, joints]
    return [shape_of(one) for one in (frames, frames[:, ::-1], mirrored, mirrored[:, ::-1])]


def distances(shapes: NDArray[np.float32], others: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Root mean square difference of each shape to each of the others, in the variant that is nearest."""
    found = np.full((len(shapes), len(others[0])), np.inf, np.float32)
    squares = (shapes**2).sum(axis=1)[:, None]
    for other in others:
        square = squares - 2 * shapes @ other.T + (other**2).sum(axis=1)[None]
        found = np.minimum(found, np.sqrt(np.maximum(square, 0) / shapes.shape[1]))
    return found


def complete_linkage(apart: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The family of each position: the two families are joined whose most different members are least different."""
    work = apart.astype(np.float64).copy()
    np.fill_diagonal(work, np.inf)
    members = {one: [one] for one in range(len(work))}
    while len(members) > count:
        first, second = (int(one) for one in np.unravel_index(np.argmin(work), work.shape))
        members[first] += members.pop(second)
        joined = np.maximum(work[first], work[second])
        work[first], work[:, first] = joined, joined
        work[first, first] = np.inf
        work[second], work[:, second] = np.inf, np.inf
    found = np.zeros(len(work), np.int64)
    for number, one in enumerate(sorted(members.values(), key=min)):
        found[one] = number
    return found


def folds_of(families: NDArray[np.int64], labels: Sequence[object], seed: int) -> NDArray[np.int64]:
    """The fold of each family, so that the folds have about as many positions of each label. Large families go first."""
    kinds = sorted({str(label) for label in labels})
    counts = np.zeros((int(families.max()) + 1, len(kinds)))
    for family, label in zip(families, labels, strict=True):
        counts[family, kinds.index(str(label))] += 1
    wanted, held = counts.sum(axis=0) / FOLDS, np.zeros((FOLDS, len(kinds)))
    order = np.random.default_rng(seed).permutation(len(counts))
    found = np.zeros(len(counts), np.int64)
    for family in sorted(order, key=lambda one: -counts[one].sum()):
        after = ((held + counts[family]) / np.maximum(wanted, 1)) ** 2
        found[family] = int(np.argmin(after.sum(axis=1) - ((held / np.maximum(wanted, 1)) ** 2).sum(axis=1)))
        held[found[family]] += counts[family]
    return found


@dataclass(frozen=True, slots=True)
class Ends:
    """The positions that a transition leads from and to, and how far its first and last frame are from them."""

    start: int
    end: int
    start_miss: float
    end_miss: float


def ends_of(transitions: Sequence[Entry], positions: Sequence[Entry]) -> list[Ends]:
    shapes = variants(np.concatenate([one.frames for one in positions]))
    firsts = distances(shape_of(np.stack([one.frames[0] for one in transitions])), shapes)
    lasts = distances(shape_of(np.stack([one.frames[-1] for one in transitions])), shapes)
    return [
        Ends(int(first.argmin()), int(last.argmin()), float(first.min()), float(last.min()))
        for first, last in zip(firsts, lasts, strict=True)
    ]
