"""How alike two frames are: the least alike of many small tiles decides, so that one changed digit counts. Pure.

Each tile of a grid is a difference hash: 64 neighbours are compared, and each pair says brighter, darker or about the same.
Two tiles are as alike as the part of the pairs that say the same; two frames are as alike as their least alike tile. With a
grid of 1 x 1 this is the classic difference hash. ADR 0017 tells why the classic one loses text.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Luma = NDArray[np.uint8]
Mark = NDArray[np.int8]
"""What is kept of a frame to compare it by: for each pair of neighbours -1, 0 or 1, tile by tile."""

CELLS = 8
"""Pairs per side of a tile."""
DEAD_ZONE = 3
"""Differences up to this are noise of the encoder and the camera."""


@dataclass(frozen=True, slots=True)
class Grid:
    columns: int = 32
    rows: int = 18

    @property
    def shape(self) -> tuple[int, int]:
        """Of the small picture that the pairs are taken from, rows first: one column more than there are pairs."""
        return self.rows * CELLS, self.columns * CELLS + 1


DEFAULT_GRID = Grid()


def mark(luma: Luma, grid: Grid = DEFAULT_GRID) -> Mark:
    """The mark of a picture of any size; give it the halved one, which is many times cheaper to shrink."""
    rows, columns = grid.shape
    small = cv2.resize(luma, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.int16)
    steps = small[:, 1:] - small[:, :-1]
    signs = (steps > DEAD_ZONE).view(np.int8) - (steps < -DEAD_ZONE).view(np.int8)
    tiled = signs.reshape(grid.rows, CELLS, grid.columns, CELLS).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(tiled).reshape(grid.rows * grid.columns, CELLS * CELLS)


def similarity(one: Mark, other: Mark) -> float:
    """0 to 1: that of the least alike tile."""
    differing = np.count_nonzero(one != other, axis=1)
    return 1.0 - float(differing.max()) / one.shape[1]


def halve(luma: Luma) -> Luma:
    """Half the width and height, each pixel the mean of four."""
    height, width = luma.shape
    if height < 2 or width < 2:
        return luma
    return cv2.resize(
        luma[: height // 2 * 2, : width // 2 * 2], (width // 2, height // 2), interpolation=cv2.INTER_AREA
    )
