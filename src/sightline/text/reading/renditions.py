"""A line of text cut out of its frame, and the ways to make its letters dark on a light ground."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect
from sightline.text.reading.frame_view import Gray
from sightline.text.reading.outlined_letters import enclosed_areas, without_counters

Rendition = Literal["as it is", "bright letters", "dark letters", "inside dark outlines", "inside bright outlines"]

MIN_TWO_SIDED_CONTRAST = 25
"""With parts brighter and darker than the ground by this much, letters have an outline, or the ground is wild."""
MIN_CONTRAST = 24
MARGIN_X, MARGIN_Y = 0.5, 0.3
"""The margin around a line, in its heights."""
MIN_ENCLOSED_SHARE = 0.07
"""How much of a picture is enclosed at least where letters have outlines."""
OUTLINE_DEPTH = 0.65
"""Where an outline ends: so far from its own brightness to that of the ground."""
OUTLINE_UPSCALE = 2
"""Outlines are followed in a picture this many times larger."""


@dataclass(frozen=True)
class Cutout:
    """A line with some ground around it, at the height that engines read best."""

    gray: Gray
    x: int
    y: int
    factor: float
    """Pixels here for one of the original."""
    ground: float
    """Brightness above and below the letters."""
    above: float
    """How much brighter than the ground its brightest parts are."""
    below: float

    @property
    def height(self) -> int:
        return int(self.gray.shape[0])

    @property
    def is_flat(self) -> bool:
        return self.above + self.below < MIN_CONTRAST

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but letters and a calm ground."""
        return self.above <= MIN_TWO_SIDED_CONTRAST or self.below <= MIN_TWO_SIDED_CONTRAST

    @cached_property
    def is_outlined(self) -> bool:
        if self.is_plain:
            return False
        return max(self._inside_dark.mean(), self._inside_bright.mean()) >= MIN_ENCLOSED_SHARE

    @cached_property
    def ways(self) -> tuple[Rendition, ...]:
        """The ways to read it, the likeliest first. Those after the second are for what looks like text by then."""
        if self.is_outlined:
            if self._inside_dark.mean() > self._inside_bright.mean():
                return "inside dark outlines", "bright letters", "dark letters", "as it is"
            return "inside bright outlines", "dark letters", "bright letters", "as it is"
        likely: tuple[Rendition, Rendition] = ("bright letters", "dark letters")
        if self.above < self.below:
            likely = ("dark letters", "bright letters")
        return ("as it is", *likely) if self.is_plain else (*likely, "as it is")

    def is_bright(self, way: Rendition) -> bool:
        """Whether letters are brighter than what is next to them when read this way."""
        return self.above > self.below if way == "as it is" else way in ("bright letters", "inside dark outlines")

    def rendered(self, way: Rendition) -> Gray:
        match way:
            case "as it is":
                return self.gray if self.above <= self.below else _negative(self.gray)
            case "bright letters" | "dark letters":
                return self._letters_alone(bright=way == "bright letters")
            case "inside dark outlines":
                return self._filled(self._inside_dark, bright=True)
            case "inside bright outlines":
                return self._filled(self._inside_bright, bright=False)

    def in_original(self, rect: Rect) -> Rect:
        x, y = self.x + rect.x / self.factor, self.y + rect.y / self.factor
        return Rect(
            round(x), round(y), max(1, round(rect.width / self.factor)), max(1, round(rect.height / self.factor))
        )

    def _letters_alone(self, *, bright: bool) -> Gray:
        """What is farther from the ground than the middle between it and the letters; outlines and pictures fall away."""
        gray = self.gray if bright else _negative(self.gray)
        ground = self.ground if bright else 255 - self.ground
        letters = max(float(np.percentile(gray, 97)), ground + 8)
        least, full = ground + 0.55 * (letters - ground), ground + 0.9 * (letters - ground)
        ink = np.clip((gray.astype(np.float32) - least) / (full - least), 0, 1)
        return (255 - 255 * _within_line(ink)).astype(np.uint8)

    @cached_property
    def _inside_dark(self) -> Gray:
        return self._inside(bright=False)

    @cached_property
    def _inside_bright(self) -> Gray:
        return self._inside(bright=True)

    def _inside(self, *, bright: bool) -> Gray:
        fine = self._fine(bright=bright)
        ground = 255 - self.ground if bright else self.ground
        darkest = float(np.percentile(fine, 3))
        return enclosed_areas(fine > darkest + OUTLINE_DEPTH * (ground - darkest))

    def _filled(self, inside: Gray, *, bright: bool) -> Gray:
        ground = self.ground if bright else 255 - self.ground
        letters = without_counters(inside, self._fine(bright=not bright), ground=ground)
        height, width = self.gray.shape
        ink = cv2.resize(letters * np.uint8(255), (width, height), interpolation=cv2.INTER_AREA)
        return _negative(ink.astype(np.uint8, copy=False))

    def _fine(self, *, bright: bool) -> Gray:
        gray = _negative(self.gray) if bright else self.gray
        finer = cv2.resize(gray, None, fx=OUTLINE_UPSCALE, fy=OUTLINE_UPSCALE, interpolation=cv2.INTER_CUBIC)
        return finer.astype(np.uint8, copy=False)


def cut_out(gray: Gray, rect: Rect, *, height: int) -> Cutout:
    """With a margin, scaled so that line and margin are `height` pixels high."""
    beside, over = int(rect.height * MARGIN_X) + 1, int(rect.height * MARGIN_Y) + 1
    x, y = max(0, rect.x - beside), max(0, rect.y - over)
    part = gray[y : rect.bottom + over, x : rect.right + beside]
    factor = height / part.shape[0]
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    width = max(1, round(part.shape[1] * factor))
    scaled = cv2.resize(part, (width, height), interpolation=way).astype(np.uint8, copy=False)
    rows = max(2, int(height * 0.12))
    ground = float(np.median(np.concatenate((scaled[:rows].ravel(), scaled[-rows:].ravel()))))
    low, high = np.percentile(scaled, (3, 97))
    return Cutout(scaled, x, y, factor, ground, above=float(high) - ground, below=ground - float(low))


def _within_line(ink: NDArray[np.float32]) -> NDArray[np.float32]:
    """Without what comes in from above or below; of what reaches into the line, that part stays."""
    height = ink.shape[0]
    count, labels, parts, _ = cv2.connectedComponentsWithStats((ink > 0.25).astype(np.uint8), connectivity=8)
    comes_in = (parts[:, 1] <= 1) | (parts[:, 1] + parts[:, 3] >= height - 1)
    comes_in[0] = False
    if not comes_in.any():
        return ink
    share = MARGIN_Y / (1 + 2 * MARGIN_Y)
    top, bottom = int(height * share) - 3, int(height * (1 - share)) + 3
    in_line = np.bincount(labels[top:bottom].ravel(), minlength=count)
    foreign = (comes_in & (in_line < 0.5 * parts[:, 4]))[labels]
    outside = comes_in[labels]
    outside[top:bottom] = False
    return np.where(foreign | outside, np.float32(0), ink)


def _negative(gray: Gray) -> Gray:
    found: Gray = cv2.bitwise_not(gray).astype(np.uint8, copy=False)
    return found
