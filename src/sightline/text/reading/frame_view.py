"""Key frames as the text reader sees them: brightness and its gradient, at full size and smaller."""

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.errors import PermanentFailure

Gray = NDArray[np.uint8]
Color = NDArray[np.uint8]
"""A picture with blue, green and red."""

MIN_ROWS_TO_HALVE = 900
"""Frames with at least this many rows are searched at half size; small letters are searched for in static frames only."""
KERNEL_3 = np.ones((3, 3), np.uint8)


class FrameUnreadable(PermanentFailure):
    """The object at a frame's key is not a picture."""


@dataclass(frozen=True)
class Layer:
    """The frame at one size; one pixel covers `scale` × `scale` pixels of the original."""

    gray: Gray
    scale: int

    @cached_property
    def gradient(self) -> Gray:
        """The change of brightness around each pixel, which is high at the strokes of letters."""
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
    color: Color | None = None
    """None if the frame was decoded for an engine that reads brightness alone."""
    _layers: dict[int, Layer] = field(default_factory=dict)

    @property
    def picture(self) -> NDArray[np.uint8]:
        """As it was decoded, in colour or not."""
        return self.full.gray if self.color is None else self.color

    @property
    def work(self) -> Layer:
        """The layer that is searched in every frame."""
        return self.layer(2 if self.full.gray.shape[0] >= MIN_ROWS_TO_HALVE else 1)

    def layer(self, scale: int) -> Layer:
        if scale == 1:
            return self.full
        if scale not in self._layers:
            self._layers[scale] = self.layer(scale // 2).halved()
        return self._layers[scale]


def decode(content: bytes, start_ms: int, end_ms: int, *, name: str, in_color: bool = False) -> FrameView:
    mode = cv2.IMREAD_COLOR if in_color else cv2.IMREAD_GRAYSCALE
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), mode) if content else None
    if picture is None:
        raise FrameUnreadable(f"{name} is not a picture")
    return view_of(picture.astype(np.uint8, copy=False), start_ms, end_ms)


def view_of(picture: NDArray[np.uint8], start_ms: int, end_ms: int) -> FrameView:
    """The view of a decoded picture, in colour or not."""
    if picture.ndim == 2:
        return FrameView(Layer(picture, 1), start_ms, end_ms)
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    return FrameView(Layer(gray, 1), start_ms, end_ms, picture)


def halve(picture: Gray) -> Gray:
    height, width = picture.shape
    if height < 2 or width < 2:
        return picture
    half = cv2.resize(
        picture[: height // 2 * 2, : width // 2 * 2], (width // 2, height // 2), interpolation=cv2.INTER_AREA
    )
    return half.astype(np.uint8, copy=False)
