"""Line recognizer: reads the picture of one line of text."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.text.reading.engine import ScoredLetter
from sightline.text.reading.ppocr.alphabet import allowed_mask, is_asian, plain_form
from sightline.text.reading.ppocr.code_signs import sign_alternatives, with_signs
from sightline.text.reading.ppocr.lookalikes import twins_of, with_lookalikes
from sightline.text.reading.ppocr.sessions import open_session
from sightline.text.reading.ppocr.word_gaps import PlacedLetter, with_spaces

INPUT_HEIGHT = 48
MIN_INPUT_WIDTH, MAX_INPUT_WIDTH = 96, 3200
MIN_OTHER_SCORE = 0.02
"""Of a letter of the same look, to be considered."""
MAX_FOREIGN_SHARE = 0.4
"""With a larger share of letters outside the alphabet the line is in a language that is not read."""


class PpocrRecognizer:
    def __init__(self, model: Path, languages: Sequence[str]) -> None:
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name
        known = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._letters = ["", *known, " "]
        mask = allowed_mask(self._letters, languages)
        mask[0] = True
        self._classes = np.flatnonzero(mask)
        self._number_of = {self._letters[known]: number for number, known in enumerate(self._classes.tolist())}
        plain = [(number, plain_form(letter)) for letter, number in self._number_of.items()]
        self._same = [(one, self._number_of[form]) for one, form in plain if self._number_of.get(form, one) != one]
        """Classes of letters, each with that of its plain form."""
        self._is_asian = any(is_asian(self._letters[number]) for number in self._classes[1:])

    def read(self, picture: NDArray[np.uint8]) -> list[ScoredLetter]:
        """The letters from left to right, spaces included. Empty if there are none, or none of the languages."""
        height, width = picture.shape[:2]
        wide = min(max(1, math.ceil(INPUT_HEIGHT * width / height)), MAX_INPUT_WIDTH)
        interpolation = cv2.INTER_AREA if height > INPUT_HEIGHT else cv2.INTER_CUBIC
        sized = cv2.resize(picture, (wide, INPUT_HEIGHT), interpolation=interpolation)
        values = np.zeros((1, 3, INPUT_HEIGHT, max(wide, MIN_INPUT_WIDTH)), np.float32)
        values[0, :, :, :wide] = (sized.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)
        probabilities = self._session.run(None, {self._input: values})[0][0]
        return self._decoded(probabilities)

    def _decoded(self, probabilities: NDArray[np.float32]) -> list[ScoredLetter]:
        """The best letter of every step, without blanks and repetitions."""
        allowed = probabilities[:, self._classes]
        for one, form in self._same:
            # The network wavers between curly and straight quotes, which are the same to those who search.
            allowed[:, form] += allowed[:, one]
            allowed[:, one] = 0
        best = allowed.argmax(axis=1)
        if not self._is_asian and self._is_foreign(probabilities):
            return []
        is_space = self._classes == len(self._letters) - 1
        space = allowed[:, is_space].sum(axis=1)
        found: list[PlacedLetter] = []
        before, gap = 0, 1.0
        for step, number in enumerate(best.tolist()):
            if number in (0, int(np.flatnonzero(is_space)[0])):
                gap *= 1 - float(space[step])
                before = 0
                continue
            score = float(allowed[step, number])
            if number == before:
                last = found[-1]
                letter = replace(last.letter, score=max(last.letter.score, score))
                found[-1] = replace(last, letter=letter, middle=last.middle + 0.5)
                continue
            text = plain_form(self._letters[self._classes[number]])
            letter = ScoredLetter(text, score, self._others(text, allowed[step]))
            found.append(PlacedLetter(letter, float(step), 1 - gap))
            before, gap = number, 1.0
        return with_signs(with_lookalikes(_stripped(with_spaces(found))))

    def _others(self, text: str, scores: NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        """Letters and signs of the same look, with their scores."""
        alike = dict.fromkeys(twins_of(text) + sign_alternatives(text))
        scored = ((other, float(scores[self._number_of[other]])) for other in alike if other in self._number_of)
        return tuple((other, score) for other, score in scored if score >= MIN_OTHER_SCORE)

    def _is_foreign(self, probabilities: NDArray[np.float32]) -> bool:
        best: Any = probabilities.argmax(axis=1)
        letters = best[best > 0]
        if not letters.size:
            return False
        return sum(is_asian(self._letters[number]) for number in letters.tolist()) > MAX_FOREIGN_SHARE * letters.size


def _stripped(letters: list[ScoredLetter]) -> list[ScoredLetter]:
    """Without spaces at both ends, and with single spaces."""
    found: list[ScoredLetter] = []
    for letter in letters:
        if letter.text != " " or (found and found[-1].text != " "):
            # The degree sign is read on its own and as part of °C.
            if letter.text[0] == "°" and found and found[-1].text == "°":
                found.pop()
            found.append(letter)
    return found[:-1] if found and found[-1].text == " " else found
