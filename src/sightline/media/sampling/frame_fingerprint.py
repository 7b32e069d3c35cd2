"""Frame fingerprints, by which frames are compared (`frame_similarity.py`)."""

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.media.sampling.frame_similarity import CELLS, DEFAULT_GRID, Fingerprint, Grid

Luma = NDArray[np.uint8]

DEAD_ZONE = 3
"""Differences up to this are noise of encoder and camera."""


def fingerprint(luma: Luma, grid: Grid = DEFAULT_GRID) -> Fingerprint:
    """The fingerprint of a picture of any size; a halved one is many times cheaper to shrink."""
    rows, columns = grid.shape
    small = cv2.resize(luma, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.int16)
    steps = small[:, 1:] - small[:, :-1]
    tiled = steps.reshape(grid.rows, CELLS, grid.columns, CELLS).transpose(0, 2, 1, 3).reshape(grid.tiles, -1)
    bits = np.packbits(np.stack([tiled > DEAD_ZONE, tiled < -DEAD_ZONE]), axis=2)
    found: Fingerprint = np.ascontiguousarray(bits).view(np.uint64).reshape(2, grid.tiles)
    return found


def halve(luma: Luma) -> Luma:
    """The picture at half width and height; each pixel is the mean of four."""
    height, width = luma.shape
    if height < 2 or width < 2:
        return luma
    half = cv2.resize(
        luma[: height // 2 * 2, : width // 2 * 2], (width // 2, height // 2), interpolation=cv2.INTER_AREA
    )
    found: Luma = half.astype(np.uint8, copy=False)
    return found
