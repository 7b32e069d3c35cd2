"""Line persistence: which edges, and which lines already read, are unchanged from one key frame to the next."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect
from sightline.text.reading.frame_view import KERNEL_3, FrameView, Gray

MAX_BRIGHTNESS_CHANGE = 14
MIN_STATIC_FRAME_MS = 150
"""A key frame shown for longer was sampled more than once, so nothing in it moved."""
MARGIN = 3
MAX_TICKER_SHIFT = 5
"""How far a ticker moves between two frames, in heights of its line."""
MIN_TICKER_SIMILARITY = 0.85
MAX_CHANGED_SHARE = 0.2
"""Up to this share of changed pixels the background is static, so that the letters are what changed."""
MIN_HEIGHT_IN_WORK_LAYER = 12
"""Lines lower than this, in pixels of the work layer, are compared at full size."""


def static_edges(view: FrameView, neighbours: Iterable[FrameView]) -> Gray | None:
    """A mask of the work layer with the edges that a neighbour shows too; None means that the whole frame is static."""
    if view.end_ms - view.start_ms >= MIN_STATIC_FRAME_MS:
        return None
    layer = view.work
    mask: Gray = np.zeros_like(layer.gray)
    half = layer.gradient // 2
    for other in neighbours:
        if other.work.gray.shape != layer.gray.shape:
            continue
        near = other.work
        same = cv2.threshold(cv2.absdiff(layer.gray, near.gray), MAX_BRIGHTNESS_CHANGE, 255, cv2.THRESH_BINARY_INV)[1]
        # A flat area that moves keeps its brightness for a while; the gradients at its borders do not.
        same &= cv2.compare(near.gradient, half, cv2.CMP_GE)
        same &= cv2.compare(layer.gradient, near.gradient // 2, cv2.CMP_GE)
        mask |= same.astype(np.uint8, copy=False)
    return mask


@dataclass(frozen=True, slots=True)
class _Strokes:
    """Thin bright or thin dark parts of a line."""

    mask: NDArray[np.float32]
    contrast: float

    @classmethod
    def of(cls, gray: Gray, height: int, *, bright: bool) -> "_Strokes":
        size = max(5, height // 2 | 1)
        hat = cv2.MORPH_TOPHAT if bright else cv2.MORPH_BLACKHAT
        strokes = cv2.morphologyEx(gray, hat, np.ones((size, size), np.uint8))
        contrast = float(np.percentile(strokes, 98))
        return cls((strokes > max(15.0, 0.6 * contrast)).astype(np.float32), contrast)


class LineSnapshot:
    """The pixels of a line when it was read, compared with later frames to see whether the text is the same."""

    def __init__(self, view: FrameView, rect: Rect, *, bright: bool | None, margin: int = MARGIN) -> None:
        """`bright` says whether the letters are brighter than their background; None means unknown."""
        work = view.work.scale
        self._scale = work if rect.height >= MIN_HEIGHT_IN_WORK_LAYER * work else 1
        layer = view.layer(self._scale)
        small = rect.shrunk(self._scale)
        self._part = small.slices(margin=margin)
        self._gray = layer.gray[self._part].copy()
        gradient = layer.gradient[self._part]
        sharp = max(30.0, float(np.percentile(gradient, 92)))
        self._clear, self._faint = 0.5 * sharp, 0.25 * sharp
        self._edges = gradient >= self._clear
        self._near_edges = cv2.dilate(gradient, KERNEL_3) >= self._faint
        both = [_Strokes.of(self._gray, small.height, bright=side) for side in (True, False)]
        self._contrast = max(one.contrast for one in both)
        self._strokes = both if bright is None else [both[0] if bright else both[1]]
        self._cell = min(max(3, small.height // 4), 8)

    def is_unchanged_in(self, view: FrameView, static: Gray | None, *, max_ground_change: float = 0.0) -> bool:
        """In a frame with motion, the background counts as static if at most this share of the line's pixels changed."""
        layer = view.layer(self._scale)
        gray = layer.gray[self._part]
        if gray.shape != self._gray.shape:
            return False
        change = cv2.absdiff(gray, self._gray)
        if change.max() <= 6:
            return True
        changed = change > max(18.0, 0.3 * self._contrast)
        share = float(changed.mean())
        if share < MAX_CHANGED_SHARE and (static is None or share <= max_ground_change):
            return not self._fills_a_cell(changed, 0.4 if max_ground_change == 0 else 0.2)
        gradient = layer.gradient[self._part]
        lost = self._edges & (cv2.dilate(gradient, KERNEL_3) < self._faint)
        new = (gradient >= self._clear) & ~self._near_edges
        if static is not None:
            new &= self._masked_part(static, view)
        if self._fills_a_cell(lost, 0.25) or self._fills_a_cell(new, 0.25):
            return False
        return any(self._kept(strokes, change)[1] for strokes in self._strokes)

    def kept_share(self, view: FrameView) -> float:
        """The share of the line that is unchanged, 0 to 1: the lower of edges and stroke brightness."""
        layer = view.layer(self._scale)
        gray = layer.gray[self._part]
        if gray.shape != self._gray.shape or not self._edges.any():
            return 0.0
        near = cv2.dilate(layer.gradient[self._part], KERNEL_3) >= self._faint
        edges = np.count_nonzero(self._edges & near) / np.count_nonzero(self._edges)
        change = cv2.absdiff(gray, self._gray)
        return min(edges, max(self._kept(strokes, change)[0] for strokes in self._strokes))

    def has_scrolled_in(self, view: FrameView) -> bool:
        """Whether the text has moved along its row, as a ticker does."""
        rows, columns = self._part
        row = view.layer(self._scale).gray[rows]
        height, width = self._gray.shape
        if row.shape[0] != height or width < 8 * height:
            return False
        middle = width // 2 - 2 * height
        piece = self._gray[:, middle : middle + 4 * height]
        left = max(0, columns.start + middle - MAX_TICKER_SHIFT * height)
        field = row[:, left : columns.start + middle + 4 * height + MAX_TICKER_SHIFT * height]
        if field.shape[1] <= piece.shape[1] or float(piece.std()) < 8:
            return False
        similarity = cv2.matchTemplate(field, piece, cv2.TM_CCOEFF_NORMED)[0]
        at = int(similarity.argmax())
        return bool(similarity[at] > MIN_TICKER_SIMILARITY) and abs(left + at - columns.start - middle) > 1

    def _kept(self, strokes: _Strokes, change: np.ndarray) -> tuple[float, bool]:
        """The share of cells whose strokes kept their brightness, and whether all cells did."""
        if strokes.contrast < 15:
            return 0.0, False
        size = (self._cell, self._cell)
        ink = cv2.boxFilter(strokes.mask, -1, size, normalize=False)
        moved = cv2.boxFilter(change.astype(np.float32) * strokes.mask, -1, size, normalize=False)
        inked = ink >= max(3.0, 0.3 * self._cell * self._cell)
        if not inked.any():
            return 0.0, False
        has_kept = moved[inked] / ink[inked] < 0.35 * strokes.contrast + 5
        return float(has_kept.mean()), bool(has_kept.all())

    def _fills_a_cell(self, pixels: np.ndarray, share: float) -> bool:
        """Whether the pixels are dense enough somewhere not to be noise."""
        min_pixels = share * self._cell * self._cell
        if np.count_nonzero(pixels) < min_pixels:
            return False
        counted = cv2.boxFilter(pixels.astype(np.float32), -1, (self._cell, self._cell), normalize=False)
        return bool(counted.max() >= min_pixels)

    def _masked_part(self, static: Gray, view: FrameView) -> NDArray[np.bool_]:
        factor = view.work.scale // self._scale
        mask = static if factor == 1 else np.repeat(np.repeat(static, factor, axis=0), factor, axis=1)
        part = mask[self._part] > 0
        shape = self._gray.shape
        if part.shape == shape:
            return part
        padded = np.zeros(shape, np.bool_)
        padded[: part.shape[0], : part.shape[1]] = part[: shape[0], : shape[1]]
        return padded
