"""Backgrounds of clips: paper, photographs, film; made of noise and shapes by seed."""

from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


class Scenery(Protocol):
    is_still: bool

    def at(self, ms: float) -> Picture:
        """The picture at this time; callers must not change it."""
        ...


class Paper:
    is_still = True

    def __init__(self, size: tuple[int, int], colour: tuple[int, int, int], *, slope: float = 0.0) -> None:
        width, height = size
        shade = np.linspace(1.0, 1.0 - slope, height)[:, None, None]
        flat = np.broadcast_to(np.array(colour, np.float64), (height, width, 3))
        self._picture = (flat * shade).astype(np.uint8)

    def at(self, ms: float) -> Picture:
        return self._picture


class Photograph:
    is_still = True

    def __init__(self, size: tuple[int, int], seed: int, *, subject: str = "hills") -> None:
        self._picture = photograph(size, np.random.default_rng(seed), subject)

    def at(self, ms: float) -> Picture:
        return self._picture


class Film:
    """A camera that pans over a picture, objects that cross it, and grain: no two frames are equal."""

    is_still = False

    def __init__(self, size: tuple[int, int], seed: int, *, subject: str = "hills") -> None:
        chance = np.random.default_rng(seed)
        self._size = size
        width, height = size
        self._wide = photograph((int(width * 1.4), int(height * 1.25)), chance, subject)
        grain = chance.normal(0, 4, (height + 64, width + 64, 1)).astype(np.int8)
        self._grain = np.repeat(grain, 3, axis=2)
        self._phase = chance.uniform(0, 6.28, 4)
        self._balls = [
            (
                chance.uniform(0.05, 0.16) * height,
                chance.uniform(-0.3, 0.3, 2),
                chance.uniform(0, 1, 2),
                _colour(chance),
            )
            for _ in range(4)
        ]

    def at(self, ms: float) -> Picture:
        width, height = self._size
        s = ms / 1000
        spare_x, spare_y = self._wide.shape[1] - width, self._wide.shape[0] - height
        x = spare_x * (0.5 + 0.5 * np.sin(0.23 * s + self._phase[0]))
        y = spare_y * (0.5 + 0.5 * np.sin(0.31 * s + self._phase[1]))
        shift = np.array([[1, 0, -x], [0, 1, -y]], np.float32)
        picture = cv2.warpAffine(self._wide, shift, (width, height))
        for radius, speed, start, colour in self._balls:
            cx, cy = ((start + speed * s) % 1.2 - 0.1) * (width, height)
            cv2.circle(picture, (int(cx), int(cy)), int(radius), colour, -1, cv2.LINE_AA)
        dx, dy = int(37 * s * 25) % 64, int(53 * s * 25) % 64
        return cv2.add(picture, self._grain[dy : dy + height, dx : dx + width], dtype=cv2.CV_8U)


def photograph(size: tuple[int, int], chance: np.random.Generator, subject: str) -> Picture:
    """`hills` is soft, `leaves` is fine and busy, `city` has rows of windows that look like writing from afar."""
    width, height = size
    picture = _clouds(size, chance, roughness=0.75 if subject == "leaves" else 0.5)
    match subject:
        case "city":
            _houses(picture, chance)
        case "leaves":
            _leaves(picture, chance)
        case _:
            _hills(picture, chance)
    noise = chance.normal(0, 3, (height, width, 3)).astype(np.int8)
    return cv2.add(picture, noise, dtype=cv2.CV_8U)


def _clouds(size: tuple[int, int], chance: np.random.Generator, *, roughness: float) -> Picture:
    width, height = size
    total = np.zeros((height, width, 3), np.float32)
    weight = 1.0
    for octave in range(2, 9):
        rows, columns = max(2, height >> (9 - octave)), max(2, width >> (9 - octave))
        layer = chance.uniform(0, 1, (rows, columns, 3)).astype(np.float32)
        layer = 0.7 * layer.mean(axis=2, keepdims=True) + 0.3 * layer
        total += weight * cv2.resize(layer, (width, height), interpolation=cv2.INTER_CUBIC).reshape(height, width, 3)
        weight *= roughness
    total -= total.min()
    tint = chance.uniform(0.5, 1.0, 3)
    return np.asarray(total / total.max() * 210 * tint + 20, np.uint8)


def _hills(picture: Picture, chance: np.random.Generator) -> None:
    height, width = picture.shape[:2]
    for depth in range(4):
        base = height * (0.45 + 0.15 * depth)
        xs = np.linspace(0, width, 60)
        ys = base + height * 0.08 * np.sin(xs / width * chance.uniform(4, 14) + chance.uniform(0, 6))
        outline = np.array([*zip(xs, ys, strict=True), (width, height), (0, height)], np.int32)
        veil = picture.copy()
        cv2.fillPoly(veil, [outline], _colour(chance), cv2.LINE_AA)
        cv2.addWeighted(veil, 0.6, picture, 0.4, 0, dst=picture)


def _houses(picture: Picture, chance: np.random.Generator) -> None:
    height, width = picture.shape[:2]
    x = 0
    while x < width:
        w, h = int(width * chance.uniform(0.06, 0.16)), int(height * chance.uniform(0.3, 0.85))
        wall, glass = _colour(chance), _colour(chance)
        cv2.rectangle(picture, (x, height - h), (x + w, height), wall, -1)
        pane, gap = max(3, int(w * chance.uniform(0.05, 0.10))), max(3, int(w * chance.uniform(0.05, 0.08)))
        for top in range(height - h + gap, height, int((pane + gap) * chance.uniform(1.2, 2.0))):
            for left in range(x + gap, x + w - pane, pane + gap):
                if chance.uniform() < 0.85:
                    cv2.rectangle(picture, (left, top), (left + pane, top + pane), glass, -1)
        x += w + int(width * chance.uniform(0, 0.03))


def _leaves(picture: Picture, chance: np.random.Generator) -> None:
    height, width = picture.shape[:2]
    for _ in range(2500):
        centre = (int(chance.uniform(0, width)), int(chance.uniform(0, height)))
        axes = (int(height * chance.uniform(0.004, 0.02)) + 1, int(height * chance.uniform(0.002, 0.008)) + 1)
        cv2.ellipse(picture, centre, axes, chance.uniform(0, 180), 0, 360, _colour(chance), -1, cv2.LINE_AA)


def _colour(chance: np.random.Generator) -> tuple[int, int, int]:
    red, green, blue = chance.integers(20, 235, 3)
    return int(red), int(green), int(blue)
