"""Light: a change of brightness keeps the structure of the picture, a moving object does not.

Even changes (exposure, dusk) are applied to the background before a picture is compared with it. Sudden ones (a switched lamp, the
infrared filter) and a camera that was pushed change most of the picture at once and are recognised by blocks.
"""

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.motion.background import Gray

BLOCKS = (9, 16)
"""Rows and columns."""
SAMPLE_STEP = 8
MIN_DRIFT = 1.0
MAX_DRIFT = 40.0
MAX_JUMP = 5.0
"""A light that changes faster than this from one look to the next is being switched."""
MIN_TEXTURE = 3.0
"""Blocks with less deviation have no structure to compare."""
SAME_STRUCTURE = 0.6
LARGE_SHARE = 0.3
"""From this part of the picture on it is asked what changed."""
WHOLE_SHARE = 0.85
MIN_SHIFT_OF_LIGHT = 5.0
MIN_SHIFT = 1.5
"""In pixels."""
MIN_SHIFT_RESPONSE = 0.08
LIT_STRUCTURE = 0.55
DETAIL = (9, 9)
"""Structure finer than this is compared: a shadow with soft edges changes what is coarser."""
MIN_DETAIL = 1.5


class WholeChange(Enum):
    """What changed most of the picture."""

    LIGHT = "light"
    SCENE = "scene"


@dataclass(frozen=True, slots=True)
class Drift:
    """How much brighter the dark and the bright half of the picture became against the background."""

    dark: float = 0.0
    bright: float = 0.0

    def jumped_since(self, before: "Drift") -> bool:
        """Both halves changed at once in the same direction, which no object does."""
        dark, bright = self.dark - before.dark, self.bright - before.bright
        return min(abs(dark), abs(bright)) >= MAX_JUMP and (dark > 0) == (bright > 0)


def relit(background: Gray, picture: Gray) -> tuple[Gray, Drift]:
    """The background in the light of the picture, if the light changed a little and evenly; what is overexposed stays so."""
    now = picture[::SAMPLE_STEP, ::SAMPLE_STEP].astype(np.int16).ravel()
    then = background[::SAMPLE_STEP, ::SAMPLE_STEP].astype(np.int16).ravel()
    difference = now - then
    middle = int(np.median(then))
    is_dark = then <= middle
    dark_shift = _median(difference[is_dark])
    drift = Drift(dark_shift, _median(difference[~is_dark], dark_shift))
    if not MIN_DRIFT <= max(abs(drift.dark), abs(drift.bright)) <= MAX_DRIFT:
        return background, drift
    dark, bright = _median(then[is_dark]), _median(then[~is_dark], float(middle))
    gain = 1 + (drift.bright - drift.dark) / (bright - dark) if bright - dark >= 10 else 1.0
    gain = min(max(gain, 0.6), 1.6)
    offset = dark + drift.dark - gain * dark
    table = np.clip(np.rint(gain * np.arange(256) + offset), 0, 255).astype(np.uint8)
    shown: Gray = cv2.LUT(background, table)
    return shown, drift


def whole_change(picture: Gray, background: Gray, foreground: Gray) -> WholeChange | None:
    """Why most of the picture differs; None if large objects are the reason."""
    changed = _block_means(foreground.astype(np.float32)) > 0.3 * 255
    if changed.mean() < LARGE_SHARE:
        return None
    structure, is_textured = _structure(picture, background)
    judged = changed & is_textured
    if (
        judged.any()
        and (structure[judged] >= SAME_STRUCTURE).mean() >= 0.6
        and _is_brighter(picture, background, judged)
    ):
        return WholeChange.LIGHT
    if changed.mean() >= WHOLE_SHARE:
        return WholeChange.SCENE if judged.any() else WholeChange.LIGHT
    return WholeChange.SCENE if is_shifted(picture, background) else None


def _is_brighter(picture: Gray, background: Gray, blocks: NDArray[np.bool_]) -> bool:
    """Most of these blocks became brighter, or most became darker; what moves a little changes some one way and some the other."""
    shift = (_block_means(picture.astype(np.float32)) - _block_means(background.astype(np.float32)))[blocks]
    return bool(max((shift >= MIN_SHIFT_OF_LIGHT).mean(), (shift <= -MIN_SHIFT_OF_LIGHT).mean()) >= 0.7)


def is_shifted(picture: Gray, background: Gray) -> bool:
    """The whole picture moved: somebody pushed the camera."""
    window = cv2.createHanningWindow((picture.shape[1], picture.shape[0]), cv2.CV_32F)
    shift, response = cv2.phaseCorrelate(background.astype(np.float32), picture.astype(np.float32), window)
    return bool(response >= MIN_SHIFT_RESPONSE and np.hypot(*shift) >= MIN_SHIFT)


def is_lit(picture: Gray, background: Gray, pixels: NDArray[np.bool_]) -> bool:
    """Pixels that keep their structure became brighter or darker: a shadow or a beam of light."""
    now, then = _detail(picture)[pixels], _detail(background)[pixels]
    deviations = float(now.std()), float(then.std())
    if min(deviations) < MIN_DETAIL:
        return False
    shared = float(((now - now.mean()) * (then - then.mean())).mean())
    return shared / (deviations[0] * deviations[1]) >= LIT_STRUCTURE


def _detail(picture: Gray) -> NDArray[np.float32]:
    plane = picture.astype(np.float32)
    detail: NDArray[np.float32] = plane - cv2.blur(plane, DETAIL)
    return detail


def _structure(picture: Gray, background: Gray) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The correlation of each block, and whether it has any structure."""
    now, then = picture.astype(np.float32), background.astype(np.float32)
    mean_now, mean_then = _block_means(now), _block_means(then)
    deviation_now = np.sqrt(np.maximum(_block_means(now * now) - mean_now**2, 0))
    deviation_then = np.sqrt(np.maximum(_block_means(then * then) - mean_then**2, 0))
    shared = _block_means(now * then) - mean_now * mean_then
    is_textured = (deviation_now >= MIN_TEXTURE) & (deviation_then >= MIN_TEXTURE)
    return shared / np.maximum(deviation_now * deviation_then, 1e-6), is_textured


def _block_means(plane: NDArray[np.float32]) -> NDArray[np.float32]:
    means: NDArray[np.float32] = cv2.resize(plane, (BLOCKS[1], BLOCKS[0]), interpolation=cv2.INTER_AREA)
    return means


def _median(values: NDArray[np.int16], default: float = 0.0) -> float:
    return float(np.median(values)) if values.size else default
