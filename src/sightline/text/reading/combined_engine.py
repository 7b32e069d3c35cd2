"""Combined engine: PP-OCR finds text and reads it; Tesseract has a say where PP-OCR is in doubt, and reads what it cannot."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.boxes import Rect, TextBox
from sightline.text.reading.engine import RecognizedLine, RecognizedWord, ScoredLetter
from sightline.text.reading.frame_view import Color, Gray
from sightline.text.reading.ppocr import unread_by_ppocr
from sightline.text.reading.ppocr.join_slanting import join_slanting
from sightline.text.reading.ppocr.join_words import join_words
from sightline.text.reading.ppocr.line_recognizer import PpocrRecognizer
from sightline.text.reading.ppocr.lookalikes import with_twins
from sightline.text.reading.ppocr.split_columns import split_columns
from sightline.text.reading.ppocr.split_dividers import split_dividers
from sightline.text.reading.ppocr.split_plates import split_plates
from sightline.text.reading.ppocr.split_rows import split_rows
from sightline.text.reading.ppocr.text_detector import PpocrDetector
from sightline.text.reading.read_line import read_line
from sightline.text.reading.tesseract_engine import TesseractEngine

MIN_SCORE = 0.5
MIN_SCORE_OF_SHORT_TEXT = {0: 0.93, 1: 0.9, 2: 0.8, 3: 0.7}
"""By number of letters and digits. Signs alone count if they are brackets, as in code."""
BRACKETS = frozenset("(){}[]")
SIGNS_BESIDE_BRACKETS = BRACKETS | frozenset(";,:")
MIN_SCORE_OF_BRACKETS_IN_BLOCK = 0.45
"""Of brackets that stand alone among lines of text, and all that a box without a detector's score may hold."""
DOUBTFUL_CONFIDENCE = 0.93
"""Below it Tesseract is asked too."""
MIN_CERTAINTY_OF_TESSERACT = 0.6
MIN_LETTERS_OF_CLEAR_TEXT, MIN_SCORE_OF_CLEAR_TEXT = 8, 0.8
CONFIDENCE_OF_CLEAR_TEXT = 0.6
"""A long line with some letters in doubt is text all the same, and not less certain than what is kept by default."""
GAP_IN_NUMBER = re.compile(r"(?<=\d[.,]) (?=\d)")
"""PP-OCR sees a space behind the comma of a number where the font is wide there; Tesseract is asked too."""


def open_combined(languages: Sequence[str], network: Sequence[Path], tesseract: Sequence[Path]) -> "CombinedEngine":
    detector, recognizer = network
    second = TesseractEngine(languages, tesseract) if tesseract else None
    first = None if unread_by_ppocr(languages) else PpocrRecognizer(recognizer, languages)
    return CombinedEngine(languages[0], PpocrDetector(detector), first, second)


class CombinedEngine:
    """At least one of the two readers is there: PP-OCR does not know all languages, and Tesseract's may not be installed."""

    def __init__(
        self,
        language: str,
        detector: PpocrDetector,
        recognizer: PpocrRecognizer | None,
        tesseract: TesseractEngine | None,
    ) -> None:
        self._language = language
        self._detector = detector
        self._recognizer = recognizer
        self._tesseract = tesseract

    def find_text(self, picture: Color, *, scale: float) -> list[TextBox]:
        found = join_slanting(self._detector.find(picture, scale=scale))
        rows = join_words(picture, [row for box in found for row in split_rows(picture, box)])
        return [
            part
            for box in split_columns(picture, rows)
            for plate in split_plates(picture, box)
            for part in split_dividers(picture, plate)
        ]

    def read_box(self, picture: Color, box: TextBox) -> RecognizedLine | None:
        part = cut_out(picture, box)
        if self._recognizer is None:
            return self._second_reading(part, box)
        if box.is_upended:
            turned = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE)
            readings = [self._recognizer.read(cv2.rotate(part, how).astype(np.uint8, copy=False)) for how in turned]
            letters = max(readings, key=_score)
        else:
            letters = self._recognizer.read(part)
        text, score = "".join(letter.text for letter in letters), _score(letters)
        if not _is_text(letters, box):
            return None
        line = RecognizedLine(text, _confidence(letters, score), score, box.rect, self._language)
        is_certain = line.confidence >= DOUBTFUL_CONFIDENCE and GAP_IN_NUMBER.search(text) is None
        return line if box.is_upended or is_certain else self._confirmed(line, part, box)

    def _confirmed(self, line: RecognizedLine, part: Color, box: TextBox) -> RecognizedLine:
        """Where Tesseract sees more spaces it is right, because it knows words; the letters are those of PP-OCR."""
        second = self._second_reading(part, box)
        if second is None or second.certainty < MIN_CERTAINTY_OF_TESSERACT:
            return line
        if second.text.replace(" ", "") != line.text.replace(" ", ""):
            return line
        if GAP_IN_NUMBER.search(second.text) is None:
            line = replace(line, text=GAP_IN_NUMBER.sub("", line.text))
        if second.text.count(" ") <= line.text.count(" "):
            return line
        confidence = max(line.confidence, 0.5 + line.confidence / 2)
        return RecognizedLine(second.text, confidence, line.certainty, line.rect, line.language)

    def _second_reading(self, part: Color, box: TextBox) -> RecognizedLine | None:
        if self._tesseract is None:
            return None
        height, width = part.shape[:2]
        # The box is a little higher than the letters, and so is what Tesseract adds around a line.
        inset = round(height * 0.12)
        line = read_line(
            self._tesseract,
            cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False),
            Rect(0, inset, width, max(1, height - 2 * inset)),
        )
        if line is None:
            return None
        return RecognizedLine(line.text, line.confidence, line.certainty, box.rect, line.language)

    def read_line(self, picture: Gray) -> list[RecognizedWord]:
        if self._recognizer is None:
            return [] if self._tesseract is None else self._tesseract.read_line(picture)
        height, width = picture.shape
        letters = self._recognizer.read(np.repeat(picture[:, :, None], 3, axis=2))
        text, score = "".join(letter.text for letter in letters), _score(letters)
        return [RecognizedWord(text, score, score, Rect(0, 0, width, height), self._language)] if text else []


def _is_text(letters: Sequence[ScoredLetter], box: TextBox) -> bool:
    """Whether these are letters at all; which of two look-alikes a letter is does not matter here."""
    signs = [letter.text for letter in letters if not letter.text.isalnum()]
    count = len(letters) - len(signs)
    least = MIN_SCORE_OF_SHORT_TEXT.get(count, MIN_SCORE)
    if count == 0 and BRACKETS.isdisjoint(signs):
        return False
    if box.is_lone_in_block and count == 0 and SIGNS_BESIDE_BRACKETS.issuperset(signs):
        least = MIN_SCORE_OF_BRACKETS_IN_BLOCK
    elif box.score == 0:
        return False
    scores = [with_twins(letter) for letter in letters if letter.text != " "]
    return sum(scores) >= least * len(scores) > 0


def cut_out(picture: Color, box: TextBox) -> NDArray[np.uint8]:
    if box.corners is None:
        return picture[box.rect.slices()]
    a, b, c, d = (np.array(point) for point in box.corners)
    wide, high = max(1, round(float(np.linalg.norm(b - a)))), max(1, round(float(np.linalg.norm(d - a))))
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array([a, b, c, d], np.float32), target)
    return cv2.warpPerspective(picture, matrix, (wide, high), flags=cv2.INTER_LINEAR).astype(np.uint8, copy=False)


def _score(letters: Sequence[ScoredLetter]) -> float:
    scores = [letter.score for letter in letters if letter.text != " "]
    return sum(scores) / len(scores) if scores else 0.0


def _confidence(letters: Sequence[ScoredLetter], score: float) -> float:
    """How likely all letters are right: one letter in doubt makes a long line doubtful, whatever the others are."""
    doubt = sum(math.log(max(letter.score, 1e-3)) for letter in letters if letter.text != " ")
    floor = (
        CONFIDENCE_OF_CLEAR_TEXT
        if len(letters) >= MIN_LETTERS_OF_CLEAR_TEXT and score >= MIN_SCORE_OF_CLEAR_TEXT
        else 0.0
    )
    return max(0.985 * math.exp(0.5 * doubt), 0.62 * score, floor)
