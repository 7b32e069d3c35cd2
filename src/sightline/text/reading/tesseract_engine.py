"""Tesseract engine: reads lines in this process with the fast models."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

# More than one thread per line costs more than it gains. Must be set before the library is loaded.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")

import numpy as np
import tesserocr

from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import RecognizedWord
from sightline.text.reading.frame_view import Gray

_WORD, _SYMBOL = tesserocr.RIL.WORD, tesserocr.RIL.SYMBOL
MIN_SYMBOL_CONFIDENCE = 0.95
"""Letters have a confidence above 0.9 even where there is no text; only the range from here to 1 is informative."""


class TesseractEngine:
    def __init__(self, languages: Sequence[str], models: Sequence[Path]) -> None:
        """`models` are the files of the languages, in the same order."""
        self._languages = tuple(languages)
        with _one_directory(languages, models) as directory:
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


@contextmanager
def _one_directory(languages: Sequence[str], models: Sequence[Path]) -> Iterator[Path]:
    """A directory with all models, as Tesseract wants them: theirs, or one of copies if they are in several.

    It reads the models whole when it is opened, so the copies, a few megabytes in the working directory, can go at once.
    """
    # The code of a script's model, such as script/Latin, names a directory too.
    homes = {model.parents[language.count("/")] for language, model in zip(languages, models, strict=True)}
    if len(homes) == 1:
        yield homes.pop()
        return
    # Only the name: since Python 3.12 the path is absolute, and a confined process may not pass the directories above its own.
    directory = Path(Path(tempfile.mkdtemp(dir=".", prefix="tessdata-")).name)
    try:
        for language, model in zip(languages, models, strict=True):
            copy = directory / f"{language}{model.suffix}"
            copy.parent.mkdir(exist_ok=True)
            shutil.copyfile(model, copy)
        yield directory
    finally:
        shutil.rmtree(directory)
