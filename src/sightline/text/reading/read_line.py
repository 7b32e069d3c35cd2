"""Reading of one line: tries renditions until the letters are certain, and confirms doubtful text by a second reading."""

import cv2
import numpy as np

from sightline.text.reading import plausibility
from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import Engine, RecognizedLine, RecognizedWord
from sightline.text.reading.frame_view import KERNEL_3, Gray
from sightline.text.reading.renditions import Cutout, Rendition, cut_out

READING_HEIGHT, OUTLINED_READING_HEIGHT = 48, 64
"""Height in pixels of a line with its margin when it is read; outlined letters need more."""
CONFIRMATION_SCALE = 0.85
"""A doubtful line is read again at this share of that height."""
ACCEPTED_CERTAINTY, ACCEPTED_CERTAINTY_ON_PLAIN_BACKGROUND = 0.88, 0.7
"""From this certainty on, no further rendition is tried."""
MIN_IMPROVEMENT = 0.05
"""By how much a later rendition must be more certain to be preferred."""
MIN_CERTAINTY_TO_CONTINUE = 0.3
"""A line still below this certainty after two renditions is not text."""


def read_line(engine: Engine, gray: Gray, rect: Rect) -> RecognizedLine | None:
    """Returns None if no plausible text was read."""
    cutout = cut_out(gray, rect, height=READING_HEIGHT)
    if cutout.is_flat:
        return None
    if cutout.is_outlined:
        cutout = cut_out(gray, rect, height=OUTLINED_READING_HEIGHT)
    words, rendition = _best(engine, cutout)
    text, certainty = plausibility.text_of(words), plausibility.certainty_of(words)
    if not plausibility.is_plausible(text, certainty):
        return None
    if not plausibility.is_trusted(text, certainty) and not _is_confirmed(engine, gray, rect, cutout, rendition, text):
        return None
    return RecognizedLine(
        text=text,
        confidence=plausibility.confidence_of(words),
        certainty=certainty,
        rect=cutout.in_original(plausibility.rect_of(words)),
        language=plausibility.language_of(words),
        is_bright=cutout.is_bright(rendition),
    )


def _best(engine: Engine, cutout: Cutout) -> tuple[list[RecognizedWord], Rendition]:
    """The reading with the highest certainty."""
    best: tuple[float, list[RecognizedWord], Rendition] = (-1.0, [], cutout.renditions[0])
    accepted, margin = (
        (ACCEPTED_CERTAINTY_ON_PLAIN_BACKGROUND, MIN_IMPROVEMENT) if cutout.is_plain else (ACCEPTED_CERTAINTY, 0.0)
    )
    for number, rendition in enumerate(cutout.renditions):
        words = plausibility.trimmed(engine.read_line(cutout.render(rendition)), cutout.height)
        certainty = plausibility.certainty_of(words)
        if certainty > best[0] + (margin if number else 0):
            best = (certainty, words, rendition)
        if certainty >= accepted or (number == 1 and best[0] < MIN_CERTAINTY_TO_CONTINUE):
            break
    return best[1], best[2]


def _is_confirmed(engine: Engine, gray: Gray, rect: Rect, first: Cutout, rendition: Rendition, text: str) -> bool:
    again = cut_out(gray, rect, height=round(CONFIRMATION_SCALE * first.height))
    words = plausibility.trimmed(engine.read_line(again.render(rendition)), again.height)
    second = plausibility.text_of(words)
    if not plausibility.readings_agree(text, second) or not plausibility.is_plausible(
        second, plausibility.certainty_of(words)
    ):
        return False
    return plausibility.letters_in(text) > 1 or _has_plain_surroundings(gray, rect)


def _has_plain_surroundings(gray: Gray, rect: Rect) -> bool:
    """Whether the background surroundings it is even; a single letter counts only there."""
    margin = int(0.6 * rect.height)
    rows, columns = rect.slices(margin=margin)
    gradient = cv2.morphologyEx(gray[rows, columns], cv2.MORPH_GRADIENT, KERNEL_3)
    inner = Rect(rect.x - columns.start, rect.y - rows.start, rect.width, rect.height)
    min_gradient = 0.3 * float(np.percentile(gradient[inner.slices()], 95))
    surroundings = np.ones(gradient.shape, np.bool_)
    surroundings[inner.slices(margin=int(0.15 * rect.height))] = False
    return not surroundings.any() or float((gradient[surroundings] > min_gradient).mean()) < 0.02
