"""Reads one line: tries the ways to render it until the letters are sure, and believes nothing that a second look does not show."""

from dataclasses import dataclass

import cv2
import numpy as np

from sightline.text.reading import plausible
from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import Engine, Word
from sightline.text.reading.frame_view import KERNEL_3, Gray
from sightline.text.reading.renditions import Cutout, Way, cut_out

HEIGHT, OUTLINED_HEIGHT = 48, 64
"""Of a line with its margin when it is read; outlines need more room."""
SECOND_LOOK = 0.85
"""The part of that height that a line is read at again, where it is doubted."""
GOOD_CERTAINTY, GOOD_ON_PLAIN_GROUND = 0.88, 0.7
"""From here on, no other way of rendering is tried."""
CLEARLY = 0.05
"""How much surer a later way must be to be preferred."""
HOPELESS_CERTAINTY = 0.3
"""What two ways have not made surer than this is no text."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it was read, in pixels of the original."""

    text: str
    confidence: float
    certainty: float
    rect: Rect
    language: str
    is_bright: bool
    """Whether its letters are brighter than their ground."""


def read_line(engine: Engine, gray: Gray, rect: Rect) -> Line | None:
    """None if nothing is written there that could be believed."""
    cutout = cut_out(gray, rect, height=HEIGHT)
    if cutout.is_flat:
        return None
    if cutout.is_outlined:
        cutout = cut_out(gray, rect, height=OUTLINED_HEIGHT)
    words, way = _best(engine, cutout)
    text, certainty = plausible.text_of(words), plausible.certainty_of(words)
    if not plausible.is_plausible(text, certainty):
        return None
    if not plausible.is_sure(text, certainty) and not _is_confirmed(engine, gray, rect, cutout, way, text):
        return None
    return Line(
        text=text,
        confidence=plausible.confidence_of(words),
        certainty=certainty,
        rect=cutout.in_original(plausible.rect_of(words)),
        language=plausible.language_of(words),
        is_bright=cutout.is_bright(way),
    )


def _best(engine: Engine, cutout: Cutout) -> tuple[list[Word], Way]:
    """The surest reading."""
    best: tuple[float, list[Word], Way] = (-1.0, [], cutout.ways[0])
    good, margin = (GOOD_ON_PLAIN_GROUND, CLEARLY) if cutout.is_plain else (GOOD_CERTAINTY, 0.0)
    for number, way in enumerate(cutout.ways):
        words = plausible.trimmed(engine.read_line(cutout.rendered(way)), cutout.height)
        certainty = plausible.certainty_of(words)
        if certainty > best[0] + (margin if number else 0):
            best = (certainty, words, way)
        if certainty >= good or (number == 1 and best[0] < HOPELESS_CERTAINTY):
            break
    return best[1], best[2]


def _is_confirmed(engine: Engine, gray: Gray, rect: Rect, first: Cutout, way: Way, text: str) -> bool:
    again = cut_out(gray, rect, height=round(SECOND_LOOK * first.height))
    words = plausible.trimmed(engine.read_line(again.rendered(way)), again.height)
    second = plausible.text_of(words)
    if not plausible.agree(text, second) or not plausible.is_plausible(second, plausible.certainty_of(words)):
        return False
    return plausible.letters_in(text) > 1 or _stands_alone(gray, rect)


def _stands_alone(gray: Gray, rect: Rect) -> bool:
    """Whether there is calm around it. A single letter is believed on a plain ground only."""
    margin = int(0.6 * rect.height)
    rows, columns = rect.slices(margin=margin)
    slope = cv2.morphologyEx(gray[rows, columns], cv2.MORPH_GRADIENT, KERNEL_3)
    inner = Rect(rect.x - columns.start, rect.y - rows.start, rect.width, rect.height)
    least = 0.3 * float(np.percentile(slope[inner.slices()], 95))
    around = np.ones(slope.shape, np.bool_)
    around[inner.slices(margin=int(0.15 * rect.height))] = False
    return not around.any() or float((slope[around] > least).mean()) < 0.02
