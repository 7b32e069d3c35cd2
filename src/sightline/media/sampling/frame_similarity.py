"""How alike two frames are: the least alike of many small tiles decides, so that one changed digit counts. Pure.

Each tile of a grid is a difference hash: 64 neighbours are compared, and each pair says brighter, darker or about the same.
Two tiles are as alike as the part of the pairs that say the same; two frames are as alike as their least alike tile. With a
grid of 1 x 1 this is the classic difference hash. ADR 0017 tells why the classic one loses text.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Fingerprint = NDArray[np.uint64]
"""What is kept of a frame to compare it by: for each tile one bit a pair that says brighter, and one that says darker."""

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
        """Of the small picture that the pairs are taken from, rows first: one column more than there are pairs."""
        return self.rows * CELLS, self.columns * CELLS + 1


DEFAULT_GRID = Grid()
FINGERPRINT_BYTES = 2 * DEFAULT_GRID.tiles * PAIRS // 8


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """0 to 1: that of the least alike tile."""
    differing = np.bitwise_or(*np.bitwise_xor(one, other))
    return 1.0 - float(np.bitwise_count(differing).max()) / PAIRS


def fingerprint_from_bytes(content: bytes) -> Fingerprint:
    """From the bytes of one."""
    return np.frombuffer(content, np.uint64).reshape(2, -1)


class FrameSelector:
    """Keeps a frame unless it is more alike to the last one kept than the threshold."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._last: Fingerprint | None = None

    def selects(self, fingerprint: Fingerprint) -> bool:
        if self._last is not None and similarity(fingerprint, self._last) > self._threshold:
            return False
        self._last = fingerprint
        return True
