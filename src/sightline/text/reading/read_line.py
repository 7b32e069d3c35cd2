"""Reads one line: tries the ways to render it until the letters are sure, and believes nothing that a second look does not show."""

from dataclasses import dataclass

import cv2
import numpy as np

from sightline.text.reading import plausibility
from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import Engine, RecognizedWord
from sightline.text.reading.frame_view import KERNEL_3, Gray
from sightline.text.reading.renditions import Cutout, Rendition, cut_out

READING_HEIGHT, OUTLINED_READING_HEIGHT = 48, 64
"""Of a line with its margin when it is read; outlines need more room."""
CONFIRMATION_SCALE = 0.85
"""The part of that height that a line is read at again, where it is doubted."""
ACCEPTED_CERTAINTY, ACCEPTED_CERTAINTY_ON_PLAIN_BACKGROUND = 0.88, 0.7
"""From here on, no other way of rendering is tried."""
MIN_IMPROVEMENT = 0.05
"""How much surer a later way must be to be preferred."""
MIN_CERTAINTY_TO_CONTINUE = 0.3
"""What two ways have not made surer than this is no text."""


@dataclass(frozen=True, slots=True)
class RecognizedLine:
    """A line as it was read, in pixels of the original."""

    text: str
    confidence: float
    certainty: float
    rect: Rect
    language: str
    is_bright: bool
    """Whether its letters are brighter than their ground."""


def read_line(engine: Engine, gray: Gray, rect: Rect) -> RecognizedLine | None:
    """None if nothing is written there that could be believed."""
    cutout = cut_out(gray, rect, height=READING_HEIGHT)
    if cutout.is_flat:
        return None
    if cutout.is_outlined:
        cutout = cut_out(gray, rect, height=OUTLINED_READING_HEIGHT)
    words, way = _best(engine, cutout)
    text, certainty = plausibility.text_of(words), plausibility.certainty_of(words)
    if not plausibility.is_plausible(text, certainty):
        return None
    if not plausibility.is_trusted(text, certainty) and not _is_confirmed(engine, gray, rect, cutout, way, text):
        return None
    return RecognizedLine(
        text=text,
        confidence=plausibility.confidence_of(words),
        certainty=certainty,
        rect=cutout.in_original(plausibility.rect_of(words)),
        language=plausibility.language_of(words),
        is_bright=cutout.is_bright(way),
    )


def _best(engine: Engine, cutout: Cutout) -> tuple[list[RecognizedWord], Rendition]:
    """The surest reading."""
    best: tuple[float, list[RecognizedWord], Rendition] = (-1.0, [], cutout.ways[0])
    good, margin = (
        (ACCEPTED_CERTAINTY_ON_PLAIN_BACKGROUND, MIN_IMPROVEMENT) if cutout.is_plain else (ACCEPTED_CERTAINTY, 0.0)
    )
    for number, way in enumerate(cutout.ways):
        words = plausibility.trimmed(engine.read_line(cutout.rendered(way)), cutout.height)
        certainty = plausibility.certainty_of(words)
        if certainty > best[0] + (margin if number else 0):
            best = (certainty, words, way)
        if certainty >= good or (number == 1 and best[0] < MIN_CERTAINTY_TO_CONTINUE):
            break
    return best[1], best[2]


def _is_confirmed(engine: Engine, gray: Gray, rect: Rect, first: Cutout, way: Rendition, text: str) -> bool:
    again = cut_out(gray, rect, height=round(CONFIRMATION_SCALE * first.height))
    words = plausibility.trimmed(engine.read_line(again.rendered(way)), again.height)
    second = plausibility.text_of(words)
    if not plausibility.readings_agree(text, second) or not plausibility.is_plausible(
        second, plausibility.certainty_of(words)
    ):
        return False
    return plausibility.letters_in(text) > 1 or _has_plain_surroundings(gray, rect)


def _has_plain_surroundings(gray: Gray, rect: Rect) -> bool:
    """Whether there is calm around it. A single letter is believed on a plain ground only."""
    margin = int(0.6 * rect.height)
    rows, columns = rect.slices(margin=margin)
    slope = cv2.morphologyEx(gray[rows, columns], cv2.MORPH_GRADIENT, KERNEL_3)
    inner = Rect(rect.x - columns.start, rect.y - rows.start, rect.width, rect.height)
    least = 0.3 * float(np.percentile(slope[inner.slices()], 95))
    around = np.ones(slope.shape, np.bool_)
    around[inner.slices(margin=int(0.15 * rect.height))] = False
    return not around.any() or float((slope[around] > least).mean()) < 0.02
