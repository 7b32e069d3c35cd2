"""Which picture stands for a video: not dark, not blank, not in a fade, and of those the one with most to see. Pure.

A candidate is a small grey picture with the ones shortly before and after it. Four measures make its score:

* light: pictures whose mean is near black or near white are put last;
* contrast: so are pictures of one tone (a standard deviation below `MIN_CONTRAST`);
* fade: while one picture turns into another, each is about the mean of its neighbours, which themselves differ much;
* detail: the entropy of the tones and the share of sharp edges, which blurred and empty pictures lack.
"""

import numpy as np
from numpy.typing import NDArray

Luma = NDArray[np.uint8]

MIN_BRIGHTNESS, MAX_BRIGHTNESS = 24.0, 232.0
MIN_CONTRAST = 8.0
MIN_FADE_CHANGE = 6.0
"""Mean difference between the neighbours below which nothing changes enough to be a fade."""
MAX_FADE_REST = 0.25
"""In a fade, what is left of a picture once the mean of its neighbours is taken away, as a part of their difference."""
MIN_EDGE = 20.0
"""A step in brightness that is an edge and no noise."""

PENALTY = -100.0


def score(before: Luma, picture: Luma, after: Luma) -> float:
    """The higher, the more telling. Bad ones are told apart too: something must stand for a video that is black all through."""
    value = detail(picture)
    if not is_lit(picture):
        value += 2 * PENALTY
    if is_fading(before, picture, after):
        value += PENALTY
    return value


def is_lit(picture: Luma) -> bool:
    return MIN_BRIGHTNESS <= float(picture.mean()) <= MAX_BRIGHTNESS and float(picture.std()) >= MIN_CONTRAST


def is_fading(before: Luma, picture: Luma, after: Luma) -> bool:
    first, middle, last = (one.astype(np.float32) for one in (before, picture, after))
    change = float(np.abs(last - first).mean())
    rest = float(np.abs(middle - (first + last) / 2).mean())
    return change > MIN_FADE_CHANGE and rest < MAX_FADE_REST * change


def detail(picture: Luma) -> float:
    """0 to about 10: bits of entropy of the tones, and up to two more for sharp edges."""
    counts = np.bincount(picture.ravel() >> 2, minlength=64)
    parts = counts[counts > 0] / picture.size
    entropy = float(-(parts * np.log2(parts)).sum())
    return entropy + 2.0 * min(1.0, 5.0 * sharpness(picture))


def sharpness(picture: Luma) -> float:
    """The share of places where brightness turns sharply, as it does at edges in focus."""
    grey = picture.astype(np.float32)
    turn = 4 * grey[1:-1, 1:-1] - grey[:-2, 1:-1] - grey[2:, 1:-1] - grey[1:-1, :-2] - grey[1:-1, 2:]
    return float((np.abs(turn) > MIN_EDGE).mean())
