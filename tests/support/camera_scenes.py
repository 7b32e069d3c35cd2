"""Scenes of a still camera, generated look by look: small grey pictures with what makes motion gates open by mistake."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
Plane = NDArray[np.float32]
WIDTH, HEIGHT = 320, 180


@cache
def yard(seed: int = 3) -> Plane:
    """A yard: sky, a wall with windows, textured ground."""
    chance = np.random.default_rng(seed)
    picture = np.zeros((HEIGHT, WIDTH), np.float32)
    picture[:60] = 170
    picture[60:] = np.linspace(90, 130, HEIGHT - 60, dtype=np.float32)[:, None]
    picture[40:110, 30:140] = 120
    for left in (45, 75, 105):
        picture[55:75, left : left + 15] = 60
    coarse = cv2.resize(
        chance.normal(0, 9, (23, 40)).astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC
    )
    fine = cv2.GaussianBlur(chance.normal(0, 10, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 1.2)
    textured = picture + coarse + fine
    textured.setflags(write=False)
    return textured


@cache
def sensor_noise() -> NDArray[np.float32]:
    """Seven pictures of noise, of which a camera takes one at random: noise for every look would cost more than the gate."""
    return np.random.default_rng(2).normal(0, 1, (7, HEIGHT, WIDTH)).astype(np.float32)


@dataclass
class SceneCamera:
    """Draws layers upon a background and adds the noise of a sensor."""

    looks_per_s: float = 5.0
    noise: float = 3.0
    seed: int = 1
    layers: list[Callable[[Plane, float], Plane]] = field(default_factory=list)

    def looks(self, seconds: float, start: float = 0.0) -> Iterator[tuple[float, Gray]]:
        chance = np.random.default_rng(self.seed)
        for number in range(int(seconds * self.looks_per_s)):
            at = start + number / self.looks_per_s
            picture = yard().copy()
            for layer in self.layers:
                picture = layer(picture, at)
            picture += self.noise * sensor_noise()[int(chance.integers(0, 7))]
            yield at, cv2.convertScaleAbs(np.maximum(picture, 0, out=picture))


def person(
    height: int, *, x: float = -0.05, y: float = 0.85, speed: float = 1.0, appears: float = 0.0, contrast: float = -50.0
) -> Callable[[Plane, float], Plane]:
    """Walks to the right; `speed` in metres per second, where the person's height is 1.7 m."""
    width = max(round(height * 0.36), 3)
    texture = np.random.default_rng(height).normal(contrast, 12, (height, width)).astype(np.float32)

    def draw(picture: Plane, at: float) -> Plane:
        if at < appears:
            return picture
        left = round(x * WIDTH + (at - appears) * speed * height / 1.7)
        top = round(y * HEIGHT) - height
        inside = slice(max(left, 0), min(left + width, WIDTH))
        if inside.start >= inside.stop:
            return picture
        rows = slice(max(top, 0), min(top + height, HEIGHT))
        part = texture[rows.start - top : rows.stop - top, inside.start - left : inside.stop - left]
        swing = 3 * math.sin(at * 9)  # arms and legs
        picture[rows, inside] = 110 + part + swing
        return picture

    return draw


def leaves(
    left: int = 210, top: int = 20, width: int = 90, height: int = 80, *, wind: float = 3.0, until: float = 1e9
) -> Callable[[Plane, float], Plane]:
    """A tree whose crown sways by some pixels, in gusts."""
    chance = np.random.default_rng(7)
    crown = cv2.GaussianBlur(chance.normal(0, 60, (height + 40, width + 40)).astype(np.float32), (0, 0), 1.6) * 1.6 + 85

    def draw(picture: Plane, at: float) -> Plane:
        force = wind if at < until else 0.0
        gust = 0.5 + 0.5 * math.sin(at / 7) ** 2
        dx, dy = force * gust * math.sin(at * 2.9), 0.6 * force * gust * math.sin(at * 4.3 + 1)
        moved = cv2.warpAffine(crown, np.array([[1, 0, dx - 20], [0, 1, dy - 20]], np.float32), (width, height))
        picture[top : top + height, left : left + width] = moved
        return picture

    return draw


def rain(drops: int = 60, seed: int = 5, brightness: float = 45.0) -> Callable[[Plane, float], Plane]:
    """Streaks at other places in every look."""

    def draw(picture: Plane, at: float) -> Plane:
        chance = np.random.default_rng(seed + int(at * 1000))
        for _ in range(chance.poisson(drops)):
            x, y = int(chance.integers(0, WIDTH)), int(chance.integers(0, HEIGHT))
            length = int(chance.integers(4, 14))
            cv2.line(picture, (x, y), (x + 1, y + length), float(picture[y, x] + brightness), 1)
        return picture

    return draw


def snow(flakes: int = 80, seed: int = 11) -> Callable[[Plane, float], Plane]:
    def draw(picture: Plane, at: float) -> Plane:
        chance = np.random.default_rng(seed + int(at * 1000))
        for _ in range(chance.poisson(flakes)):
            center = int(chance.integers(0, WIDTH)), int(chance.integers(0, HEIGHT))
            cv2.circle(picture, center, int(chance.integers(1, 3)), 220.0, -1)
        return picture

    return draw


def lamp(
    switches: tuple[float, ...], *, gain: float = 1.5, offset: float = 18.0, ramp_s: float = 0.6
) -> Callable[[Plane, float], Plane]:
    """A lamp that is switched at these times, on and off in turn; the camera's exposure follows."""

    def draw(picture: Plane, at: float) -> Plane:
        level = 0.0
        for number, switched in enumerate(switches):
            share = min(max((at - switched) / ramp_s, 0.0), 1.0)
            level += share if number % 2 == 0 else -share
        return picture * (1 + (gain - 1) * level) + offset * level

    return draw


def infrared(at_s: float) -> Callable[[Plane, float], Plane]:
    """The infrared filter goes away: plants shine, the sky is black, the contrast is another."""

    def draw(picture: Plane, at: float) -> Plane:
        if at < at_s:
            return picture
        lit = 40 + 0.45 * np.abs(picture - 125) + 0.2 * picture
        lit[:60] = 20
        return lit

    return draw


def pushed(at_s: float, dx: float = 14, dy: float = 6) -> Callable[[Plane, float], Plane]:
    def draw(picture: Plane, at: float) -> Plane:
        if at < at_s:
            return picture
        return cv2.warpAffine(
            picture, np.array([[1, 0, dx], [0, 1, dy]], np.float32), (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT
        )

    return draw


def timestamp() -> Callable[[Plane, float], Plane]:
    """White digits that change every second, as cameras write them into the picture."""

    def draw(picture: Plane, at: float) -> Plane:
        text = f"2026-11-18 {int(at // 3600):02d}:{int(at // 60 % 60):02d}:{int(at % 60):02d}"
        written = np.zeros((20, WIDTH), np.uint8)
        cv2.putText(written, text, (4, 14), cv2.FONT_HERSHEY_PLAIN, 0.8, 255, 1)
        picture[:20][written > 128] = 255
        return picture

    return draw


def clouds(period_s: float = 40.0, depth: float = 0.3) -> Callable[[Plane, float], Plane]:
    """Shadows with soft edges that pass over the ground."""
    columns = np.arange(WIDTH, dtype=np.float32)[None, :]

    def draw(picture: Plane, at: float) -> Plane:
        phase = 2 * math.pi * (columns / (2.5 * WIDTH) - at / period_s)
        shade = 1 - depth * np.clip(2 * np.sin(phase) + 0.5, 0, 1)
        return picture * shade

    return draw
