"""The background of a still camera: what each pixel looks like when nothing happens, and how much it flickers by itself."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
Plane = NDArray[np.float32]

SLOW_S = 30.0
"""The background follows the picture within this time."""
FOREGROUND_S = 90.0
"""What does not belong to it becomes part of it within this time, so that slow objects are not absorbed while they pass."""
FAST_S = 1.5
"""The recent past: what equals it does not move, even if it is new."""
NOISE_S = 15.0
FIRST_NOISE = 1.5
MAX_NOISE = 11.0
BASE_LIMIT = 6.0
NOISE_FACTOR = 3.5
"""A pixel differs when it deviates by the base plus so many times its usual deviation."""
MIN_LIMIT = 10.0


@dataclass(frozen=True, slots=True)
class PixelChange:
    """Pixels that differ from the background, and those of them that move: 255 or 0."""

    foreground: Gray
    moving: Gray
    share: float
    """Of the picture that differs from the background."""


class Background:
    """Three planes: the slow background, the recent past, and the noise of each pixel."""

    def __init__(self, picture: Gray) -> None:
        self.slow: Plane = picture.astype(np.float32)
        self._fast: Plane = self.slow.copy()
        self.noise: Plane = np.full(picture.shape, FIRST_NOISE, np.float32)
        self._looks = 1

    @property
    def shape(self) -> tuple[int, ...]:
        return self.slow.shape

    @property
    def picture(self) -> Gray:
        picture: Gray = cv2.convertScaleAbs(self.slow)
        return picture

    def reset(self, picture: Gray) -> None:
        """The scene looks different from now on; how much it flickers is kept."""
        self.slow[:] = picture
        self._fast[:] = picture

    def compare(self, picture: Gray, known: Gray) -> PixelChange:
        """Compares with the background as it looks in the light of the picture."""
        limit = cv2.convertScaleAbs(self.noise, alpha=NOISE_FACTOR, beta=BASE_LIMIT)
        np.maximum(limit, int(MIN_LIMIT), out=limit)
        foreground = cv2.compare(cv2.absdiff(picture, known), limit, cv2.CMP_GT)
        differing = cv2.countNonZero(foreground)
        moving = foreground
        if differing:
            recent = cv2.absdiff(picture, cv2.convertScaleAbs(self._fast))
            moving = cv2.bitwise_and(foreground, cv2.compare(recent, limit, cv2.CMP_GT))
        return PixelChange(foreground, moving, differing / foreground.size)

    def learn(self, picture: Gray, change: PixelChange, seconds: float) -> None:
        self._looks += 1
        first = 1 / self._looks  # the first looks count as much as each other
        cv2.accumulateWeighted(
            picture, self.slow, max(_weight(seconds, SLOW_S), first), mask=cv2.bitwise_not(change.foreground)
        )
        if change.share:
            cv2.accumulateWeighted(picture, self.slow, _weight(seconds, FOREGROUND_S), mask=change.foreground)
        flicker = cv2.absdiff(picture, cv2.convertScaleAbs(self._fast))
        cv2.min(flicker, int(3 * MAX_NOISE), flicker)
        cv2.accumulateWeighted(flicker, self.noise, max(_weight(seconds, NOISE_S), min(first, 0.1)))
        cv2.min(self.noise, MAX_NOISE, self.noise)
        cv2.accumulateWeighted(picture, self._fast, max(_weight(seconds, FAST_S), first))


def _weight(seconds: float, time_constant: float) -> float:
    return 1 - math.exp(-seconds / time_constant)
