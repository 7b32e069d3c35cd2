"""Tesseract engine: reads lines in this process with the fast models."""

import os
from collections.abc import Sequence

# More than one thread per line costs more than it gains. Must be set before the library is loaded.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")

import numpy as np
import tesserocr

from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import RecognizedWord
from sightline.text.reading.frame_view import Gray
from sightline.text.reading.languages import need_languages

_WORD, _SYMBOL = tesserocr.RIL.WORD, tesserocr.RIL.SYMBOL
MIN_SYMBOL_CONFIDENCE = 0.95
"""Letters have a confidence above 0.9 even where there is no text; only the range from here to 1 is informative."""


class TesseractEngine:
    def __init__(self, languages: Sequence[str]) -> None:
        directory = need_languages(languages)
        self._languages = tuple(languages)
        self._api = tesserocr.PyTessBaseAPI(
            path=str(directory), lang="+".join(languages), psm=tesserocr.PSM.SINGLE_LINE
        )
        self._api.SetVariable(
            "tessedit_do_invert", "0"
        )  # the polarity of a line is known, and trying both doubles the cost
        self._api.SetVariable("user_defined_dpi", "150")  # no effect on the result, but Tesseract warns without it

    def read_line(self, picture: Gray) -> list[RecognizedWord]:
        height, width = picture.shape
        self._api.SetImageBytes(np.ascontiguousarray(picture).tobytes(), width, height, 1, width)
        self._api.Recognize()
        found = self._api.GetIterator()
        return [] if found is None else self._words(found)

    def _words(self, found: tesserocr.PyResultIterator) -> list[RecognizedWord]:
        words: list[RecognizedWord] = []
        letters: list[tuple[str, float]] = []
        for at in tesserocr.iterate_level(found, _SYMBOL):
            if at.Empty(_SYMBOL):
                continue
            letters.append((at.GetUTF8Text(_SYMBOL), at.Confidence(_SYMBOL) / 100))
            if at.IsAtFinalElement(_WORD, _SYMBOL):
                words.append(self._word(at, letters))
                letters = []
        return words

    def _word(self, at: tesserocr.PyResultIterator, letters: list[tuple[str, float]]) -> RecognizedWord:
        left, top, right, bottom = at.BoundingBox(_WORD)
        mean = sum(confidence for _, confidence in letters) / len(letters)
        language = at.WordRecognitionLanguage() if len(self._languages) > 1 else self._languages[0]
        return RecognizedWord(
            text="".join(letter for letter, _ in letters),
            confidence=min(max(at.Confidence(_WORD) / 100, 0.0), 1.0),
            certainty=min(max((mean - MIN_SYMBOL_CONFIDENCE) / (1 - MIN_SYMBOL_CONFIDENCE), 0.0), 1.0),
            rect=Rect(left, top, right - left, bottom - top),
            language=language or self._languages[0],
        )
