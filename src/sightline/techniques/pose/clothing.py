"""Clothing: the colours that athletes wear, and what they are called by them. Pure."""

import colorsys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.pair_tracker import Athlete
from sightline.techniques.pose.people import Colour
from sightline.techniques.pose.skeleton import HIPS, KNEES, SHOULDERS
from sightline.vision import Picture

UNKNOWN_ATHLETE = "athlete not identified"
MIN_PIXELS = 12
_GI_COLOURS = ("white", "blue", "black")
_HUES = (
    (15, "red"),
    (45, "orange"),
    (70, "yellow"),
    (165, "green"),
    (200, "turquoise"),
    (260, "blue"),
    (300, "purple"),
    (345, "pink"),
)
RGB = tuple[float, float, float]


def colour_name(rgb: RGB) -> str:
    red, green, blue = (max(0.0, min(1.0, one / 255)) for one in rgb)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < 0.22 or (value < 0.32 and saturation < 0.35):
        return "black"
    if saturation < 0.17 or (saturation < 0.24 and value > 0.6):
        return "white" if value > 0.58 else "grey"
    return next((name for end, name in _HUES if hue * 360 < end), "red")


def roles(athletes: tuple[Athlete, Athlete]) -> tuple[str, str]:
    """What each of the two is called. Athletes who look alike cannot be told apart, and are not."""
    names = tuple(_described(one) for one in athletes)
    if names[0] is None or names[1] is None or names[0] == names[1]:
        return UNKNOWN_ATHLETE, UNKNOWN_ATHLETE
    return f"athlete in {names[0]}", f"athlete in {names[1]}"


def _described(athlete: Athlete) -> str | None:
    if athlete.upper is None:
        return None
    upper = colour_name(athlete.upper)
    lower = None if athlete.lower is None else colour_name(athlete.lower)
    return f"{upper} gi" if upper == lower and upper in _GI_COLOURS else upper


def clothes(picture: Picture, joints: NDArray[np.float32]) -> tuple[Colour | None, Colour | None]:
    """Colours of the upper body and of the thighs. `joints` is (13, 3), in heights of the picture."""
    upper = _trunk(joints)
    thighs = [
        joints[[hip, knee], :2] for hip, knee in zip(HIPS, KNEES, strict=True) if joints[hip, 2] and joints[knee, 2]
    ]
    lower = [start + part * (end - start) for start, end in thighs for part in (0.35, 0.5, 0.65)]
    return _median(picture, upper), _median(picture, lower)


def _trunk(joints: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Places on the trunk, away from the arms and from the belt."""
    tops = [joints[one, :2] for one in SHOULDERS if joints[one, 2]]
    ends = [joints[one, :2] for one in HIPS if joints[one, 2]]
    if not tops or not ends:
        return []
    top, end = np.mean(tops, axis=0), np.mean(ends, axis=0)
    middle = [top + part * (end - top) for part in (0.25, 0.4, 0.55)]
    return middle + [0.75 * one + 0.25 * point for one in middle[:2] for point in tops]


def _median(picture: Picture, places: Sequence[NDArray[np.float32]]) -> Colour | None:
    height, width = picture.shape[:2]
    radius = max(1, round(height * 0.006))
    pixels = []
    for x, y in places:
        column, row = round(float(x) * height), round(float(y) * height)
        if 0 <= column < width and 0 <= row < height:
            part = picture[max(0, row - radius) : row + radius + 1, max(0, column - radius) : column + radius + 1]
            pixels.append(part.reshape(-1, 3))
    if sum(map(len, pixels)) < MIN_PIXELS:
        return None
    red, green, blue = (int(one) for one in np.median(np.concatenate(pixels), axis=0))
    return red, green, blue
