"""RapidOCR engine: reads lines in this process. Its own line detection is not used, because it is much slower."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import onnxruntime
from rapidocr import RapidOCR

from sightline.text.reading.boxes import Rect
from sightline.text.reading.engine import RecognizedWord
from sightline.text.reading.frame_view import Gray

# No telemetry, and no warning about a machine without a GPU.
onnxruntime.disable_telemetry_events()
onnxruntime.set_default_logger_severity(3)

MIN_LETTER_SCORE = 0.5
"""Letters have scores up to this value even where there is no text."""


@dataclass(frozen=True, slots=True)
class _Letter:
    text: str
    score: float
    at: float
    """Its centre, as a share of the picture's width."""


class RapidOcrEngine:
    def __init__(self, languages: Sequence[str]) -> None:
        self._language = languages[0]
        one_thread = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
        self._reader = RapidOCR(params={"Global.log_level": "error", **one_thread})

    def read_line(self, picture: Gray) -> list[RecognizedWord]:
        found: Any = self._reader(
            np.repeat(picture[:, :, None], 3, axis=2), use_det=False, use_cls=False, use_rec=True, return_word_box=True
        )
        if not found.txts or not found.txts[0].strip():
            return []
        words = found.word_results[0]
        columns = [column for word in words.word_cols for column in word]
        letters = _letters(found.txts[0], words.confs, columns, words.line_txt_len)
        return [self._word(list(word), picture) for is_gap, word in groupby(letters, _is_gap) if not is_gap]

    def _word(self, letters: list[_Letter], picture: Gray) -> RecognizedWord:
        score = sum(letter.score for letter in letters) / len(letters)
        return RecognizedWord(
            text="".join(letter.text for letter in letters),
            confidence=min(max(score, 0.0), 1.0),
            certainty=min(max((score - MIN_LETTER_SCORE) / (1 - MIN_LETTER_SCORE), 0.0), 1.0),
            rect=_rect(letters, picture),
            language=self._language,
        )


def _letters(text: str, scores: Sequence[float], columns: Sequence[int], width: float) -> list[_Letter]:
    """There is a score for every letter, and a column for every letter that is not a space."""
    positions = iter(columns)
    return [
        _Letter(letter, score, 0.0 if letter.isspace() else (next(positions) + 0.5) / width)
        for letter, score in zip(text, scores, strict=True)
    ]


def _is_gap(letter: _Letter) -> bool:
    return letter.text.isspace()


def _rect(letters: Sequence[_Letter], picture: Gray) -> Rect:
    """From the first letter to the last plus half a letter on both sides, as high as the ink between them."""
    height, width = picture.shape
    first, last = letters[0].at * width, letters[-1].at * width
    half = 0.5 * ((last - first) / (len(letters) - 1) if len(letters) > 1 else 0.5 * height)
    left, right = max(0, round(first - half)), min(width, max(round(last + half), round(first - half) + 1))
    part = picture[:, left:right]
    rows = np.flatnonzero((part < (int(part.min()) + int(part.max())) / 2).any(axis=1)) if part.size else np.empty(0)
    top, bottom = (int(rows[0]), int(rows[-1]) + 1) if rows.size else (0, height)
    return Rect(left, top, max(1, right - left), bottom - top)
