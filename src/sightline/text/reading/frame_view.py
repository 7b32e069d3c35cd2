"""A key frame as the reader looks at it: brightness, where it changes, and both again at half the size."""

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.errors import PermanentFailure

Gray = NDArray[np.uint8]

MIN_ROWS_TO_HALVE = 900
"""Frames with so many rows are searched at half the size; letters that vanish there are searched for in frames that stand."""
KERNEL_3 = np.ones((3, 3), np.uint8)


class FrameUnreadable(PermanentFailure):
    """What lies at a frame's key is no picture."""


@dataclass(frozen=True)
class Layer:
    """The frame at one size; `scale` is how many pixels of the original one pixel stands for, each way."""

    gray: Gray
    scale: int

    @cached_property
    def slope(self) -> Gray:
        """How much brightness changes around each pixel: the strokes of letters stand out."""
        found: Gray = cv2.morphologyEx(self.gray, cv2.MORPH_GRADIENT, KERNEL_3).astype(np.uint8, copy=False)
        return found

    def halved(self) -> "Layer":
        return Layer(halve(self.gray), self.scale * 2)


@dataclass(frozen=True)
class FrameView:
    """`start_ms` is the frame's own time, `end_ms` that of the next key frame, or the video's end."""

    full: Layer
    start_ms: int
    end_ms: int
    _layers: dict[int, Layer] = field(default_factory=dict)

    @property
    def work(self) -> Layer:
        """What is searched in every frame."""
        return self.layer(2 if self.full.gray.shape[0] >= MIN_ROWS_TO_HALVE else 1)

    def layer(self, scale: int) -> Layer:
        if scale == 1:
            return self.full
        if scale not in self._layers:
            self._layers[scale] = self.layer(scale // 2).halved()
        return self._layers[scale]


def decode(content: bytes, start_ms: int, end_ms: int, *, name: str) -> FrameView:
    gray = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE) if content else None
    if gray is None:
        raise FrameUnreadable(f"no picture at {name}")
    return FrameView(Layer(gray.astype(np.uint8, copy=False), 1), start_ms, end_ms)


def halve(picture: Gray) -> Gray:
    height, width = picture.shape
    if height < 2 or width < 2:
        return picture
    half = cv2.resize(
        picture[: height // 2 * 2, : width // 2 * 2], (width // 2, height // 2), interpolation=cv2.INTER_AREA
    )
    return half.astype(np.uint8, copy=False)
