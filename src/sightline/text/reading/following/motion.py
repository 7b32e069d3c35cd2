"""Motion of a text along its row or column, as in tickers and credits: where its first picture is found again."""

import cv2

from sightline.text.reading.boxes import Rect
from sightline.text.reading.frame_view import FrameView, Gray

MIN_SIMILARITY = 0.82
MIN_SHIFT = 2
"""In pixels of the original; a text that has not moved has changed if it looks different."""
MAX_SHIFT_UP, MAX_SHIFT_ALONG = 1.3, 2.0
"""Between two frames, in heights of the line."""
TOLERANCE = 2
"""How far it may leave its column or row, in pixels of the searched layer."""
MIN_HEIGHT_TO_HALVE = 20
MIN_CONTRAST = 8.0
EDGE = 4


class MovingPattern:
    """The picture of a text where it was first seen; later frames are searched for it around its last place."""

    def __init__(self, view: FrameView, rect: Rect) -> None:
        self._scale = 2 if rect.height >= MIN_HEIGHT_TO_HALVE else 1
        self._picture: Gray = view.layer(self._scale).gray[rect.shrunk(self._scale).slices()].copy()

    def found_in(self, view: FrameView, rect: Rect) -> Rect | None:
        """Where the text that was at `rect` has moved to; None if it has not moved, or is not there any more."""
        high, wide = self._picture.shape
        if min(high, wide) < 4 or float(self._picture.std()) < MIN_CONTRAST:
            return None
        small = rect.shrunk(self._scale)
        if rect.x <= EDGE or rect.right >= view.full.gray.shape[1] - EDGE:
            return (
                None  # What comes in at the side of the frame is not whole yet, and reads differently in the next one.
            )
        best: tuple[float, int, int] = (MIN_SIMILARITY, 0, 0)
        for across, down in ((TOLERANCE, round(MAX_SHIFT_UP * high)), (round(MAX_SHIFT_ALONG * high), TOLERANCE)):
            best = max(best, self._best_match(view, small, across, down))
        similarity, x, y = best
        shift = max(abs(x), abs(y)) * self._scale
        if similarity <= MIN_SIMILARITY or shift < MIN_SHIFT:
            return None
        moved = rect.moved(x * self._scale, y * self._scale)
        height, width = view.full.gray.shape
        is_inside = moved.x >= 0 and moved.y >= 0 and moved.right <= width and moved.bottom <= height
        return moved if is_inside else None

    def _best_match(self, view: FrameView, small: Rect, across: int, down: int) -> tuple[float, int, int]:
        layer = view.layer(self._scale).gray
        high, wide = self._picture.shape
        left, top = max(0, small.x - across), max(0, small.y - down)
        field = layer[top : small.y + high + down, left : small.x + wide + across]
        if field.shape[0] < high or field.shape[1] < wide:
            return (0.0, 0, 0)
        _, similarity, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(field, self._picture, cv2.TM_CCOEFF_NORMED))
        return (float(similarity), left + x - small.x, top + y - small.y)
