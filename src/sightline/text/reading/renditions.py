"""Renditions of a text line: cut out of its frame, with its letters made dark on a light background."""

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
"""With parts both brighter and darker than the background by this much, letters have an outline or the background is busy."""
MIN_CONTRAST = 24
MARGIN_X, MARGIN_Y = 0.5, 0.3
"""Margins beside and above or below a line, in its heights."""
MIN_ENCLOSED_SHARE = 0.07
"""The share of a picture that outlines enclose where letters are outlined."""
OUTLINE_DEPTH = 0.65
"""Where an outline ends, as a share of the way from its brightness to that of the background."""
OUTLINE_UPSCALE = 2
"""Outlines are traced in a picture this many times larger."""


@dataclass(frozen=True)
class Cutout:
    """A line with a margin, at the height that engines read best."""

    gray: Gray
    x: int
    y: int
    factor: float
    """Pixels here per pixel of the original."""
    background: float
    """The brightness above and below the letters."""
    above: float
    """How much brighter than the background the brightest parts are; `below` is the same for the darkest."""
    below: float

    @property
    def height(self) -> int:
        return int(self.gray.shape[0])

    @property
    def is_flat(self) -> bool:
        return self.above + self.below < MIN_CONTRAST

    @property
    def is_plain(self) -> bool:
        """Whether it shows only letters on an even background."""
        return self.above <= MIN_TWO_SIDED_CONTRAST or self.below <= MIN_TWO_SIDED_CONTRAST

    @cached_property
    def is_outlined(self) -> bool:
        if self.is_plain:
            return False
        return max(self._inside_dark.mean(), self._inside_bright.mean()) >= MIN_ENCLOSED_SHARE

    @cached_property
    def renditions(self) -> tuple[Rendition, ...]:
        """The renditions to try, the most promising first."""
        if self.is_outlined:
            if self._inside_dark.mean() > self._inside_bright.mean():
                return "inside dark outlines", "bright letters", "dark letters", "as it is"
            return "inside bright outlines", "dark letters", "bright letters", "as it is"
        likely: tuple[Rendition, Rendition] = ("bright letters", "dark letters")
        if self.above < self.below:
            likely = ("dark letters", "bright letters")
        return ("as it is", *likely) if self.is_plain else (*likely, "as it is")

    def is_bright(self, rendition: Rendition) -> bool:
        """Whether the letters of this rendition are brighter than what is next to them."""
        return (
            self.above > self.below
            if rendition == "as it is"
            else rendition in ("bright letters", "inside dark outlines")
        )

    def render(self, rendition: Rendition) -> Gray:
        match rendition:
            case "as it is":
                return self.gray if self.above <= self.below else _negative(self.gray)
            case "bright letters" | "dark letters":
                return self._letters_alone(bright=rendition == "bright letters")
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
        """Keeps pixels nearer to the letters' brightness than to the background's, which removes outlines and pictures."""
        gray = self.gray if bright else _negative(self.gray)
        background = self.background if bright else 255 - self.background
        letters = max(float(np.percentile(gray, 97)), background + 8)
        low, full = background + 0.55 * (letters - background), background + 0.9 * (letters - background)
        ink = np.clip((gray.astype(np.float32) - low) / (full - low), 0, 1)
        return (255 - 255 * _within_line(ink)).astype(np.uint8)

    @cached_property
    def _inside_dark(self) -> Gray:
        return self._inside(bright=False)

    @cached_property
    def _inside_bright(self) -> Gray:
        return self._inside(bright=True)

    def _inside(self, *, bright: bool) -> Gray:
        fine = self._fine(bright=bright)
        background = 255 - self.background if bright else self.background
        darkest = float(np.percentile(fine, 3))
        return enclosed_areas(fine > darkest + OUTLINE_DEPTH * (background - darkest))

    def _filled(self, inside: Gray, *, bright: bool) -> Gray:
        background = self.background if bright else 255 - self.background
        letters = without_counters(inside, self._fine(bright=not bright), background=background)
        height, width = self.gray.shape
        ink = cv2.resize(letters * np.uint8(255), (width, height), interpolation=cv2.INTER_AREA)
        return _negative(ink.astype(np.uint8, copy=False))

    def _fine(self, *, bright: bool) -> Gray:
        gray = _negative(self.gray) if bright else self.gray
        finer = cv2.resize(gray, None, fx=OUTLINE_UPSCALE, fy=OUTLINE_UPSCALE, interpolation=cv2.INTER_CUBIC)
        return finer.astype(np.uint8, copy=False)


def cut_out(gray: Gray, rect: Rect, *, height: int) -> Cutout:
    """Cuts a line out with its margin, scaled to `height` pixels."""
    beside, over = int(rect.height * MARGIN_X) + 1, int(rect.height * MARGIN_Y) + 1
    x, y = max(0, rect.x - beside), max(0, rect.y - over)
    part = gray[y : rect.bottom + over, x : rect.right + beside]
    factor = height / part.shape[0]
    interpolation = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    width = max(1, round(part.shape[1] * factor))
    scaled = cv2.resize(part, (width, height), interpolation=interpolation).astype(np.uint8, copy=False)
    rows = max(2, int(height * 0.12))
    background = float(np.median(np.concatenate((scaled[:rows].ravel(), scaled[-rows:].ravel()))))
    low, high = np.percentile(scaled, (3, 97))
    return Cutout(scaled, x, y, factor, background, above=float(high) - background, below=background - float(low))


def _within_line(ink: NDArray[np.float32]) -> NDArray[np.float32]:
    """Removes strokes that come in from above or below, except for the part that lies in the line."""
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
