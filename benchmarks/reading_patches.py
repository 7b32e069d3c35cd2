"""Lines of text as they are drawn into the clips of `reading.py`, and from when to when each can be read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from reading_fonts import Face
from reading_grounds import Colour, Picture, Size

FADED_IN = 0.5
"""A text that fades counts as shown from half its strength on; that something is there can be seen before."""
GROWN = 0.8
"""A text that grows or shrinks into its place counts as shown from this part of its largest size on."""
FLYING_PX_PER_S = 400
"""What flies into its place faster than this cannot be read yet."""
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Truth:
    """A text, from the first frame that shows it whole to the first that does not.

    `enter_ms` and `leave_ms` are the first and the last trace of it: what moves, fades or is typed is there in part before.
    """

    text: str
    start_ms: int
    end_ms: int
    box: Box
    enter_ms: int
    leave_ms: int


@dataclass(frozen=True, slots=True)
class Item:
    """A line to draw; `x` and `y` are the corner that the font calls its left ascender."""

    text: str
    x: float
    y: float
    face: Face
    fill: Colour
    start_ms: int
    end_ms: int
    outline: Colour | None = None
    outline_px: int = 0
    shadow_px: int = 0
    plate: Colour | None = None
    plate_opacity: float = 1.0
    opacity: float = 1.0
    fade_ms: int = 0
    dx: float = 0.0
    """Pixels per second; `dy` likewise."""
    dy: float = 0.0
    typed_ms: int = 0
    """How long the letters take to appear one after the other."""
    is_truth: bool = True
    path: tuple[tuple[int, float, float], ...] = ()
    """Milliseconds after the start with the shift from `x` and `y` at that time; in between it moves evenly."""
    zoom: tuple[tuple[int, float], ...] = ()
    """Milliseconds after the start with its size at that time, about its middle."""
    angle: float = 0.0
    """Degrees, against the clock."""
    window: Box | None = None
    """The part of the picture that shows it, such as a list that is scrolled."""


@dataclass(slots=True)
class Patch:
    """An item drawn once as a picture with a mask."""

    item: Item
    ink: Any = field(init=False)
    """Colours, already multiplied by the mask."""
    alpha: Any = field(init=False)
    x: float = field(init=False)
    y: float = field(init=False)
    box: Box = field(init=False)
    letters: list[int] = field(init=False)
    """Where each letter ends, in pixels of the patch."""

    def __post_init__(self) -> None:
        item = self.item
        left, top, right, bottom = (int(v) for v in item.face.getbbox(item.text, stroke_width=item.outline_px))
        margin = round(item.face.size * 0.4) if item.plate is not None else 2 + 2 * item.shadow_px
        size = right - left + 2 * margin, bottom - top + 2 * margin
        pixels = np.asarray(self._image(size, (margin - left, margin - top)), np.float32)
        self.alpha = pixels[:, :, 3:] / 255 * item.opacity
        self.ink = pixels[:, :, :3] * self.alpha
        self.x, self.y = item.x + left - margin, item.y + top - margin
        self.box = (round(item.x + left), round(item.y + top), right - left, bottom - top)
        self.letters = [
            margin + round(item.face.getlength(item.text[: number + 1])) for number in range(len(item.text))
        ]
        self.letters[-1] = size[0]
        if item.angle:
            self._turn(margin)

    def _image(self, size: Size, at: tuple[int, int]) -> Image.Image:
        item = self.item
        image = Image.new("RGBA", size, (*item.plate, round(255 * item.plate_opacity)) if item.plate else (0, 0, 0, 0))
        if item.shadow_px:
            dark = Image.new("RGBA", size)
            ImageDraw.Draw(dark).text(
                (at[0] + item.shadow_px, at[1] + item.shadow_px), item.text, font=item.face, fill=(0, 0, 0, 220)
            )
            image = Image.alpha_composite(image, dark.filter(ImageFilter.GaussianBlur(item.shadow_px * 0.6)))
        layer = Image.new("RGBA", size)
        ImageDraw.Draw(layer).text(
            at,
            item.text,
            font=item.face,
            fill=item.fill,
            stroke_width=item.outline_px,
            stroke_fill=item.outline,
        )
        return Image.alpha_composite(image, layer)

    def _turn(self, margin: int) -> None:
        """Turns picture, mask and box about the middle of the text."""
        tall, wide = self.alpha.shape[:2]
        turn = cv2.getRotationMatrix2D((wide / 2, tall / 2), self.item.angle, 1.0)
        cos, sin = abs(turn[0, 0]), abs(turn[0, 1])
        width, height = int(tall * sin + wide * cos) + 2, int(tall * cos + wide * sin) + 2
        turn[:, 2] += (width - wide) / 2, (height - tall) / 2
        self.ink = cv2.warpAffine(self.ink, turn, (width, height), flags=cv2.INTER_LINEAR)
        self.alpha = cv2.warpAffine(self.alpha, turn, (width, height), flags=cv2.INTER_LINEAR)[:, :, None]
        self.x, self.y = self.x - (width - wide) / 2, self.y - (height - tall) / 2
        self.box = round(self.x + margin), round(self.y + margin), width - 2 * margin, height - 2 * margin

    def strength(self, ms: float) -> float:
        """How much of it is there, 0 to 1: it fades, or letters are still missing."""
        item = self.item
        if not item.start_ms <= ms < item.end_ms:
            return 0.0
        strength = 1.0
        if item.fade_ms:
            strength = min(1.0, (ms - item.start_ms) / item.fade_ms, (item.end_ms - ms) / item.fade_ms)
        if item.typed_ms:
            strength = min(strength, (ms - item.start_ms) / item.typed_ms)
        return strength

    def state(self, ms: float) -> tuple[int, int, float]:
        """Where it is and how large: two frames with the same state show the same."""
        shift = self._shift(ms)
        return round(self.x + shift[0]), round(self.y + shift[1]), self._size(ms)

    def draw(self, frame: Picture, ms: float) -> None:
        item, (x, y, factor) = self.item, self.state(ms)
        ink, alpha = self.ink, self.alpha
        if factor != 1:
            tall, wide = alpha.shape[:2]
            size = max(1, round(wide * factor)), max(1, round(tall * factor))
            way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
            ink, alpha = cv2.resize(ink, size, interpolation=way), cv2.resize(alpha, size, interpolation=way)[..., None]
            x, y = x + (wide - size[0]) // 2, y + (tall - size[1]) // 2
        height, width = alpha.shape[:2]
        if item.typed_ms:
            shown = int(len(item.text) * self.strength(ms))
            width = 0 if shown == 0 else self.letters[min(shown, len(item.text)) - 1]
        left, top, right, bottom = self._window((frame.shape[1], frame.shape[0]))
        x0, y0, x1, y1 = max(left, x), max(top, y), min(right, x + width), min(bottom, y + height)
        if x1 <= x0 or y1 <= y0:
            return
        part = (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))
        strength = self.strength(ms) if item.fade_ms else 1.0
        under = frame[y0:y1, x0:x1]
        under[:] = np.clip(ink[part] * strength + under * (1 - alpha[part] * strength), 0, 255).astype(np.uint8)

    def truth(self, times: Sequence[int], end_ms: int, size: Size) -> Truth | None:
        nexts = dict(pairwise([*times, end_ms]))
        traces, wholes = [], []
        for ms in times:
            if self.strength(ms) > 0 and self._seen(ms, size) > 0:
                traces.append(ms)
                if self._is_whole(ms, size):
                    wholes.append(ms)
        if not self.item.is_truth or not wholes:
            return None
        first, last = self._inside(traces[0], size), self._inside(traces[-1], size)
        left, top = min(first[0], last[0]), min(first[1], last[1])
        right = max(first[0] + first[2], last[0] + last[2])
        bottom = max(first[1] + first[3], last[1] + last[3])
        box = (left, top, right - left, bottom - top)
        return Truth(self.item.text, wholes[0], nexts[wholes[-1]], box, traces[0], nexts[traces[-1]])

    def _is_whole(self, ms: float, size: Size) -> bool:
        item = self.item
        is_typed = not item.typed_ms or ms - item.start_ms >= item.typed_ms
        is_strong = not item.fade_ms or self.strength(ms) >= FADED_IN
        is_large = not item.zoom or self._size(ms) >= GROWN * max(factor for _, factor in item.zoom)
        return is_typed and is_strong and is_large and not self._is_flying(ms) and self._seen(ms, size) >= 1

    def _is_flying(self, ms: float) -> bool:
        if not self.item.path:
            return False
        (x, y), (then_x, then_y) = self._shift(ms), self._shift(ms + 10)
        return max(abs(then_x - x), abs(then_y - y)) * 100 > FLYING_PX_PER_S

    def _shift(self, ms: float) -> tuple[float, float]:
        item, since = self.item, ms - self.item.start_ms
        x, y = item.dx * since / 1000, item.dy * since / 1000
        if item.path:
            times = [time for time, _, _ in item.path]
            x += float(np.interp(since, times, [across for _, across, _ in item.path]))
            y += float(np.interp(since, times, [down for _, _, down in item.path]))
        return x, y

    def _size(self, ms: float) -> float:
        if not self.item.zoom:
            return 1.0
        times, factors = zip(*self.item.zoom, strict=True)
        return float(np.interp(ms - self.item.start_ms, times, factors))

    def _at(self, ms: float) -> Box:
        (across, down), factor = self._shift(ms), self._size(ms)
        x, y, width, height = self.box
        x, y = round(x + across - width * (factor - 1) / 2), round(y + down - height * (factor - 1) / 2)
        return x, y, round(width * factor), round(height * factor)

    def _window(self, size: Size) -> Box:
        """Left, top, right and bottom of where it can be seen."""
        if self.item.window is None:
            return 0, 0, *size
        x, y, width, height = self.item.window
        return max(0, x), max(0, y), min(size[0], x + width), min(size[1], y + height)

    def _inside(self, ms: float, size: Size) -> Box:
        x, y, width, height = self._at(ms)
        first_x, first_y, last_x, last_y = self._window(size)
        left, top = max(first_x, x), max(first_y, y)
        return left, top, max(0, min(last_x, x + width) - left), max(0, min(last_y, y + height) - top)

    def _seen(self, ms: float, size: Size) -> float:
        """The part of its area that is inside the picture; of what is wider than the picture, as much as fits into it."""
        _, _, width, height = self._inside(ms, size)
        left, _, right, _ = self._window(size)
        _, _, wide, tall = self._at(ms)
        return width * height / (min(wide, right - left) * tall)
