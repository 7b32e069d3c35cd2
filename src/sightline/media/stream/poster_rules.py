"""Poster rules: not dark, not blank, not in a fade, and with the most detail. Pure.

A candidate is a small grey picture with its neighbours shortly before and after. Four measures make its score:

* brightness: pictures whose mean is near black or white come last;
* contrast: so do pictures of one tone (a standard deviation below `MIN_CONTRAST`);
* fade: during a fade each picture is about the mean of its neighbours, which differ much;
* detail: entropy of the tones and share of sharp edges, which blurred and empty pictures lack.
"""

import numpy as np
from numpy.typing import NDArray

Luma = NDArray[np.uint8]

MIN_BRIGHTNESS, MAX_BRIGHTNESS = 24.0, 232.0
MIN_CONTRAST = 8.0
MIN_FADE_CHANGE = 6.0
"""Mean difference of the neighbours; with less change there is no fade."""
MAX_FADE_REST = 0.25
"""Difference of a picture from the mean of its neighbours, relative to the difference of the neighbours."""
MIN_EDGE = 20.0
"""Step in brightness; a smaller one is noise."""

PENALTY = -100.0


def score(before: Luma, picture: Luma, after: Luma) -> float:
    """Higher is better. Bad pictures have different scores too, because a black video needs a poster as well."""
    value = detail(picture)
    if not is_lit(picture):
        value += 2 * PENALTY
    if is_fading(before, picture, after):
        value += PENALTY
    return value


def is_lit(picture: Luma) -> bool:
    return MIN_BRIGHTNESS <= float(picture.mean()) <= MAX_BRIGHTNESS and float(picture.std()) >= MIN_CONTRAST


def is_fading(before: Luma, picture: Luma, after: Luma) -> bool:
    if not before.shape == picture.shape == after.shape:
        return False  # a video may change its size on the way, which is a cut
    first, middle, last = (one.astype(np.float32) for one in (before, picture, after))
    change = float(np.abs(last - first).mean())
    rest = float(np.abs(middle - (first + last) / 2).mean())
    return change > MIN_FADE_CHANGE and rest < MAX_FADE_REST * change


def detail(picture: Luma) -> float:
    """From 0 to about 10: entropy of the tones in bits, and up to 2 for sharp edges."""
    counts = np.bincount(picture.ravel() >> 2, minlength=64)
    parts = counts[counts > 0] / picture.size
    entropy = float(-(parts * np.log2(parts)).sum())
    return entropy + 2.0 * min(1.0, 5.0 * sharpness(picture))


def sharpness(picture: Luma) -> float:
    """Share of pixels at sharp edges."""
    grey = picture.astype(np.float32)
    turn = 4 * grey[1:-1, 1:-1] - grey[:-2, 1:-1] - grey[2:, 1:-1] - grey[1:-1, :-2] - grey[1:-1, 2:]
    return float((np.abs(turn) > MIN_EDGE).mean())
