"""People as the analyzer of poses sees them: joints, and the colours of what they wear. Pure."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.skeleton import HIPS, SHOULDERS

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


@dataclass(frozen=True, slots=True)
class SeenPerson:
    joints: NDArray[np.float32]
    """(13, 3): x and y in heights of the picture, y downwards, and 1 if the joint was seen, else 0."""
    upper: Colour | None = None
    lower: Colour | None = None

    @property
    def seen_joints(self) -> int:
        return int(self.joints[:, 2].sum())

    @property
    def points(self) -> NDArray[np.float32]:
        """Of the joints that were seen: (count, 2)."""
        return self.joints[self.joints[:, 2] > 0, :2]

    @property
    def centre(self) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self.points.mean(axis=0)
        return found

    @property
    def size(self) -> float:
        """Diagonal of the box around the joints, in heights of the picture."""
        width, height = self.points.max(axis=0) - self.points.min(axis=0)
        return float(np.hypot(width, height))

    def trunk_height(self) -> float | None:
        """Of the middle of shoulders and hips; None unless one of each was seen. Larger is higher."""
        parts = [self.joints[list(side)] for side in (SHOULDERS, HIPS)]
        if any(part[:, 2].sum() == 0 for part in parts):
            return None
        return -float(np.mean([(part[:, 1] * part[:, 2]).sum() / part[:, 2].sum() for part in parts]))
