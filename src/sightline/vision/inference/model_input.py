"""The input of a model: a picture, scaled to its size and in its form of numbers."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.vision.boxes import Boxes
from sightline.vision.detector import Picture

STRIDE = 32
"""Convolutional detectors take sizes that are multiples of it."""
PADDING = 114
_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSpec:
    name: str
    element_type: str
    """`float32`, `float16` or `uint8`."""
    is_channels_first: bool
    height: int | None
    """None where the model takes any size."""
    width: int | None
    form: str
    """`rgb`, `bgr255`, `rgb255` or `imagenet`."""
    keeps_shape: bool
    """Whether the picture keeps its shape and is padded; else it is stretched."""
    side: int
    """Of the longer side where the size is free."""


@dataclass(frozen=True, slots=True)
class PreparedInput:
    array: NDArray[np.generic]
    height: int
    width: int
    used: tuple[float, float]
    """Which share of the width and height of the input the picture fills."""

    def to_picture(self, boxes: Boxes) -> Boxes:
        """Boxes in parts of the input, as parts of the picture."""
        return (boxes / np.array([*self.used, *self.used], np.float32)).astype(np.float32)


def prepare(picture: Picture, spec: InputSpec) -> PreparedInput:
    height, width = picture.shape[:2]
    if spec.height is not None and spec.width is not None:
        target_height, target_width = spec.height, spec.width
        scale = min(target_height / height, target_width / width)
    else:
        scale = spec.side / max(height, width)
        target_height, target_width = (_multiple(size * scale) for size in (height, width))
    if spec.keeps_shape:
        inner = max(1, min(target_height, round(height * scale))), max(1, min(target_width, round(width * scale)))
    else:
        inner = target_height, target_width
    scaled = _resize(picture, *inner)
    if inner != (target_height, target_width):
        padded: Picture = np.full((target_height, target_width, 3), PADDING, np.uint8)
        padded[: inner[0], : inner[1]] = scaled
        scaled = padded
    used = inner[1] / target_width, inner[0] / target_height
    return PreparedInput(_numbers(scaled, spec), target_height, target_width, used)


def _resize(picture: Picture, height: int, width: int) -> Picture:
    shrinks = height < picture.shape[0]
    mode = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=mode), np.uint8)


def _numbers(picture: Picture, spec: InputSpec) -> NDArray[np.generic]:
    values: NDArray[np.generic] = picture
    if spec.element_type != "uint8":
        match spec.form:
            case "rgb":
                values = picture.astype(np.float32) / np.float32(255)
            case "bgr255":
                values = picture[:, :, ::-1].astype(np.float32)
            case "imagenet":
                values = (picture.astype(np.float32) / np.float32(255) - _MEAN) / _DEVIATION
            case _:
                values = picture.astype(np.float32)
        values = values.astype(spec.element_type, copy=False)
    if spec.is_channels_first:
        values = values.transpose(2, 0, 1)
    return np.ascontiguousarray(values[None])


def _multiple(size: float) -> int:
    return max(STRIDE, -(-round(size) // STRIDE) * STRIDE)
