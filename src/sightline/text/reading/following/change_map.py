"""Change map: which parts of a frame differ from what the detector has last seen there."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect, bounding_rect, overlap_area
from sightline.text.reading.frame_view import FrameView, Gray

TILE = 16
"""Side of a tile, in pixels of the work layer."""
MIN_CHANGE = 16
"""Smaller differences in brightness are noise of encoder and camera."""
MIN_CHANGED_PIXELS = 5
"""Of a tile; a small full stop has about as many."""
MAX_AREAS = 4
RESTLESS_AFTER = 4
"""A tile that has changed in this many frames in a row shows motion rather than new text."""

Tiles = NDArray[np.bool_]


class ChangeMap:
    def __init__(self) -> None:
        self._seen: Gray | None = None
        self._last: Gray | None = None
        self._restless: NDArray[np.int16] = np.zeros((0, 0), np.int16)

    def update(self, view: FrameView) -> None:
        """Takes the next frame; call once for each."""
        gray = view.work.gray
        if self._last is None or self._last.shape != gray.shape:
            self._seen = None
            self._restless = np.zeros(_tiles_of(gray), np.int16)
        else:
            moved = _changed_tiles(gray, self._last)
            self._restless = np.where(moved, np.minimum(self._restless + 1, 100), np.maximum(self._restless - 2, 0))
        self._last = gray

    def areas(self, view: FrameView, excluded: Iterable[Rect], again: Iterable[Rect] = ()) -> tuple[list[Rect], bool]:
        """Areas to look at, in pixels of the original, and whether something appeared where nothing had moved before.

        `again` are rectangles to look at whole although only a part of them may have changed.
        """
        scale, gray = view.work.scale, view.work.gray
        height, width = view.full.gray.shape
        if self._seen is None:
            return [Rect(0, 0, width, height)], True
        changed = _changed_tiles(gray, self._seen)
        for rect in excluded:
            _clear(changed, rect.shrunk(scale))
        for rect in again:
            small = rect.shrunk(scale)
            changed[small.y // TILE : -(-small.bottom // TILE), small.x // TILE : -(-small.right // TILE)] = True
        if not changed.any():
            return [], False
        is_sudden = bool((changed & (self._restless < RESTLESS_AFTER)).any())
        return _clustered(changed, scale, (width, height)), is_sudden

    def is_restless(self, view: FrameView, rect: Rect) -> bool:
        """Whether most of this rectangle has been moving for some frames."""
        small = rect.shrunk(view.work.scale)
        part = self._restless[small.y // TILE : -(-small.bottom // TILE), small.x // TILE : -(-small.right // TILE)]
        return bool(part.size) and float((part >= RESTLESS_AFTER).mean()) >= 0.5

    def mark_seen(self, view: FrameView, area: Rect) -> None:
        gray = view.work.gray
        if self._seen is None or self._seen.shape != gray.shape:
            self._seen = gray.copy()
            return
        part = area.shrunk(view.work.scale).slices()
        self._seen[part] = gray[part]


def _tiles_of(gray: Gray) -> tuple[int, int]:
    return -(-gray.shape[0] // TILE), -(-gray.shape[1] // TILE)


def _changed_tiles(one: Gray, other: Gray) -> Tiles:
    differs = cv2.threshold(cv2.absdiff(one, other), MIN_CHANGE, 1, cv2.THRESH_BINARY)[1]
    rows, columns = _tiles_of(one)
    padded = cv2.copyMakeBorder(
        differs, 0, rows * TILE - one.shape[0], 0, columns * TILE - one.shape[1], cv2.BORDER_CONSTANT, value=0
    )
    counts = padded.reshape(rows, TILE, columns, TILE).sum(axis=(1, 3), dtype=np.int32)
    found: Tiles = counts >= MIN_CHANGED_PIXELS
    return found


def _clear(tiles: Tiles, rect: Rect) -> None:
    """Removes the tiles that lie in the rectangle. Others may show text beside it, as where a line is being typed."""
    tiles[-(-rect.y // TILE) : rect.bottom // TILE, -(-rect.x // TILE) : rect.right // TILE] = False


def _clustered(tiles: Tiles, scale: int, size: tuple[int, int]) -> list[Rect]:
    """Few rectangles that hold all tiles, each with a margin, because a line reaches beyond what changed of it."""
    wide = cv2.dilate(tiles.astype(np.uint8), np.ones((3, 7), np.uint8))
    _, _, parts, _ = cv2.connectedComponentsWithStats(wide, connectivity=8)
    step = TILE * scale
    rects = [
        Rect(int(x) * step, int(y) * step, int(across) * step, int(down) * step).grown(step, size)
        for x, y, across, down, _ in parts[1:].tolist()
    ]
    rects = _joined(rects)
    whole = Rect(0, 0, *size)
    if len(rects) > MAX_AREAS:
        rects = [bounding_rect(rects)]
    return [whole] if sum(rect.area for rect in rects) > 0.7 * whole.area else rects


def _joined(rects: list[Rect]) -> list[Rect]:
    """Joins rectangles that overlap."""
    found: list[Rect] = []
    for rect in rects:
        merged = rect
        while near := [one for one in found if overlap_area(one, merged)]:
            found = [one for one in found if one not in near]
            merged = bounding_rect([merged, *near])
        found.append(merged)
    return found
