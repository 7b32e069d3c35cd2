"""Learned masks: cells that always move (trees, flags, timestamps, screens) stop to count, and count again once they are quiet."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.motion.background import Gray
from sightline.geometry import Box

CELL = 8
"""Pixels per side."""
ACTIVITY_S = 120.0
LEARN_ABOVE = 0.35
"""A cell that moved in more than this part of the last minutes is learned; from nothing this takes about a minute."""
LEARN_ONSETS_PER_S = 0.25
"""So is a cell that begins to move this often, as a clock in the picture does; people and cars pass less often."""
LONELY_ONSETS_PER_S = 0.05
"""Fewer are enough where nothing moves around it: a digit changes in its place, whoever walks comes from somewhere."""
LONELY_SHARE = 0.4
UNLEARN_BELOW = 0.1
"""A cell is forgotten when it moved in less than this part of the last minutes …"""
UNLEARN_ONSETS_PER_S = 0.02
"""… and began to less than this often."""
MIN_DENSITY = 0.05
"""A cell moves when this part of its pixels does."""
UNUSUAL_DENSITY = 0.35
"""A learned cell counts again at once when so much more of it moves than usual: somebody stands before the tree."""
AROUND = np.ones((3, 3), np.uint8)
RING = np.pad(np.zeros((7, 7), np.uint8), 2, constant_values=1)
"""Cells that are four or five away."""
MAX_LEARNED_SHARE = 0.5
"""When more of the picture moves all the time it is weather or a moving camera, and masks would make it blind."""


class Activity:
    """How often each cell moves."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._size = (math.ceil(shape[1] / CELL), math.ceil(shape[0] / CELL))
        cells = (self._size[1], self._size[0])
        self.rate = np.zeros(cells, np.float32)
        self.density = np.zeros(cells, np.float32)
        self.onsets = np.zeros(cells, np.float32)
        """How often per second each cell began to move."""
        self.learned = np.zeros(cells, np.bool_)
        self._was_active = np.zeros(cells, np.bool_)
        self._explained = np.zeros(cells, np.bool_)
        self._shape = shape

    def observe(self, moving: Gray, seconds: float) -> NDArray[np.bool_]:
        """Takes one look into account. Returns the cells whose motion is to be ignored in it."""
        density = cv2.resize(moving, self._size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        is_active = density >= MIN_DENSITY
        weight = 1 - math.exp(-seconds / ACTIVITY_S)
        unusual = density > self.density + UNUSUAL_DENSITY
        counted = is_active & ~self._explained
        self.rate += weight * (counted - self.rate)
        self.onsets += weight * ((counted & ~self._was_active) / np.float32(seconds) - self.onsets)
        self._was_active = is_active
        self.density[is_active] += min(5 * weight, 1.0) * (density - self.density)[is_active]
        self._explained[:] = False
        self.learned &= (self.rate > UNLEARN_BELOW) | (self.onsets > UNLEARN_ONSETS_PER_S)
        learning = (self.rate > LEARN_ABOVE) | (self.onsets > LEARN_ONSETS_PER_S) | self._lonely()
        if (learning | self.learned).mean() <= MAX_LEARNED_SHARE:
            self.learned |= learning
        if not self.learned.any():
            return self.learned
        around = (
            cv2.dilate(self.learned.astype(np.uint8), AROUND) > 0
        )  # what moves there moves the edges of its neighbours
        ignored: NDArray[np.bool_] = around & ~unusual
        return ignored

    def _lonely(self) -> NDArray[np.bool_]:
        often: NDArray[np.bool_] = self.onsets > LONELY_ONSETS_PER_S
        if often.any():
            around = cv2.dilate(self.onsets, RING)
            often &= around < LONELY_SHARE * self.onsets
        return often

    def explain(self, boxes: list[Box]) -> None:
        """A detector saw objects there, so the motion of the next look is real and not learned."""
        rows, columns = self.rate.shape
        for x, y, width, height in boxes:
            top, bottom = int(max(y, 0) * rows), math.ceil(min(y + height, 1) * rows)
            left, right = int(max(x, 0) * columns), math.ceil(min(x + width, 1) * columns)
            self._explained[top:bottom, left:right] = True

    def pixels(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        grown = cells.repeat(CELL, axis=0).repeat(CELL, axis=1)
        return grown[: self._shape[0], : self._shape[1]]
