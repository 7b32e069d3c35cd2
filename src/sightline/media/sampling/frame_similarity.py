"""Frame similarity: the least similar of many small tiles decides, so that one changed digit counts. Pure.

Each tile of a grid is a difference hash: 64 pairs of neighbours are compared, and each pair is brighter, darker or about equal.
The similarity of two tiles is the share of equal pairs; the similarity of two frames is that of their least similar tile. With a
grid of 1 x 1 this is the classic difference hash. ADR 0017 explains why the classic one loses text.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Fingerprint = NDArray[np.uint64]
"""Two bits per pair of each tile: brighter, and darker."""

CELLS = 8
"""Pairs per side of a tile, so that a tile has 64."""
PAIRS = CELLS * CELLS


@dataclass(frozen=True, slots=True)
class Grid:
    columns: int = 32
    rows: int = 18

    @property
    def tiles(self) -> int:
        return self.columns * self.rows

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the small picture: one column more than there are pairs."""
        return self.rows * CELLS, self.columns * CELLS + 1


DEFAULT_GRID = Grid()
FINGERPRINT_BYTES = 2 * DEFAULT_GRID.tiles * PAIRS // 8


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """From 0 to 1: the similarity of the least similar tile."""
    differing = np.bitwise_or(*np.bitwise_xor(one, other))
    return 1.0 - float(np.bitwise_count(differing).max()) / PAIRS


def fingerprint_from_bytes(content: bytes) -> Fingerprint:
    """Parses a stored fingerprint."""
    return np.frombuffer(content, np.uint64).reshape(2, -1)


class FrameSelector:
    """Selects a frame unless its similarity to the last selected frame is above the threshold."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._last: Fingerprint | None = None

    def selects(self, fingerprint: Fingerprint) -> bool:
        if self._last is not None and similarity(fingerprint, self._last) > self._threshold:
            return False
        self._last = fingerprint
        return True
