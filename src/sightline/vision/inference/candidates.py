"""Candidates: what a model believes to see, before thresholds and names."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.vision.boxes import Boxes


@dataclass(frozen=True, slots=True)
class Candidates:
    boxes: Boxes
    """In parts of the picture that the model was given."""
    scores: NDArray[np.float32]
    """(count, classes)."""
    keypoints: NDArray[np.float32] | None = None
    """(count, 17, 3): x, y and certainty, for models of poses."""

    def only(self, chosen: NDArray[np.bool_] | list[int]) -> "Candidates":
        keypoints = None if self.keypoints is None else self.keypoints[chosen]
        return Candidates(self.boxes[chosen], self.scores[chosen], keypoints)


def from_corners(corners: NDArray[np.float32]) -> Boxes:
    """Boxes of left, top, right, bottom."""
    return np.concatenate([corners[:, :2], corners[:, 2:4] - corners[:, :2]], axis=1).astype(np.float32)


def from_centres(centres: NDArray[np.float32]) -> Boxes:
    """Boxes of centre, width and height."""
    return np.concatenate([centres[:, :2] - centres[:, 2:4] / 2, centres[:, 2:4]], axis=1).astype(np.float32)


def one_class_each(classes: NDArray[np.int64], scores: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """The score of one class for each candidate, as scores of all. Classes outside the labels get none."""
    found: NDArray[np.float32] = np.zeros((len(classes), count), np.float32)
    rows = np.flatnonzero((classes >= 0) & (classes < count))
    found[rows, classes[rows]] = scores[rows]
    return found
