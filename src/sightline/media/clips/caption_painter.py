"""Captions drawn into pictures, white on a dark box at the lower edge. Runs in the sandbox.

The fonts are those inside OpenCV: Latin, Cyrillic, Greek, Chinese, Japanese and Korean.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from sightline.media.clips.captions import CaptionSpan, drawable

TEXT_HEIGHT = 0.05
"""Of the shorter side of the picture."""
MIN_TEXT_PX = 12
MAX_WIDTH = 0.92
MAX_ROWS = 6
BOX_ALPHA = 0.72
WHITE, BLACK, GREY = 235.0, 16.0, 128.0
"""Levels of limited-range video."""
WEIGHT = 500

Plane = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Painted:
    """A band of the picture with its captions: what is added to what is left of the picture."""

    top: int
    alpha: Plane
    luma: Plane
    chroma_alpha: Plane


class CaptionPainter:
    def __init__(self, spans: Sequence[CaptionSpan], *, width: int, height: int) -> None:
        self._spans = spans
        self._width, self._height = width, height
        self._font = cv2.FontFace("sans")
        self._size = max(MIN_TEXT_PX, round(min(width, height) * TEXT_HEIGHT))
        self._at = 0
        self._lines: tuple[str, ...] = ()
        self._painted: _Painted | None = None

    def paint(self, frame: VideoFrame, at_s: float) -> None:
        """Draws what is shown at this time. Call it in the order of time."""
        at_ms = round(at_s * 1000)
        while self._at < len(self._spans) and self._spans[self._at].end_ms <= at_ms:
            self._at += 1
        is_shown = self._at < len(self._spans) and self._spans[self._at].start_ms <= at_ms
        lines = self._spans[self._at].lines if is_shown else ()
        if lines != self._lines:
            self._lines = lines
            self._painted = self._draw(lines) if lines else None
        if self._painted is not None:
            self._blend(frame, self._painted)

    def _blend(self, frame: VideoFrame, painted: _Painted) -> None:
        frame.make_writable()  # the decoder may still refer to it
        luma = _rows_of(frame, 0, painted.top, len(painted.alpha), self._width)
        luma[:] = np.rint(luma * (1 - painted.alpha) + painted.luma).astype(np.uint8)
        for plane in (1, 2):
            top, rows = painted.top // 2, len(painted.chroma_alpha)
            chroma = _rows_of(frame, plane, top, rows, painted.chroma_alpha.shape[1])
            chroma[:] = np.rint(chroma * (1 - painted.chroma_alpha) + GREY * painted.chroma_alpha).astype(np.uint8)

    def _draw(self, lines: Sequence[str]) -> _Painted | None:
        rows = [row for line in lines for row in self._wrap(drawable(line))][:MAX_ROWS]
        step, pad = round(self._size * 1.35), round(self._size * 0.35)
        height = min(self._height, len(rows) * step + 2 * pad)
        margin = round(self._height * 0.04)
        if not rows or height >= self._height:
            return None
        top = max(0, self._height - margin - height) // 2 * 2
        height = (min(self._height - top, height + 1)) // 2 * 2
        text = np.zeros((height, self._width), np.uint8)
        box = np.zeros((height, self._width), np.float32)
        for number, row in enumerate(rows):
            width = self._width_of(row)
            left = max(pad, (self._width - width) // 2)
            base = pad + number * step + self._size
            cv2.putText(text, row, (left, base), (255, 255, 255), self._font, self._size, weight=WEIGHT)
            box[number * step : (number + 1) * step + 2 * pad, max(0, left - pad) : left + width + pad] = BOX_ALPHA
        letters = text.astype(np.float32) / 255
        alpha = np.maximum(box, letters)
        luma = (letters * WHITE + (1 - letters) * BLACK) * alpha
        halves = cv2.resize(alpha, (self._width // 2, height // 2), interpolation=cv2.INTER_AREA)
        return _Painted(top, alpha, luma.astype(np.float32), np.asarray(halves, np.float32))

    def _wrap(self, line: str) -> list[str]:
        """Breaks a line between words; one without spaces, as in Chinese, between letters."""
        limit = self._width * MAX_WIDTH
        rows: list[str] = []
        for word in line.split(" "):
            joined = f"{rows[-1]} {word}" if rows else word
            if rows and self._width_of(joined) <= limit:
                rows[-1] = joined
                continue
            pieces = self._broken(word, limit)
            rows += pieces
        return [row for row in rows if row]

    def _broken(self, word: str, limit: float) -> list[str]:
        pieces = [""]
        for letter in word:
            if pieces[-1] and self._width_of(pieces[-1] + letter) > limit:
                pieces.append("")
            pieces[-1] += letter
        return pieces

    def _width_of(self, text: str) -> int:
        _, _, width, _ = cv2.getTextSize((0, 0), text, (0, 0), self._font, self._size, weight=WEIGHT)
        return int(width)


def _rows_of(frame: VideoFrame, number: int, top: int, rows: int, width: int) -> NDArray[np.uint8]:
    plane = frame.planes[number]
    whole: NDArray[np.uint8] = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
    return whole[top : top + rows, :width]
