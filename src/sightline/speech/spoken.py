"""Spoken words, and the segments that they make: sentences and parts of sentences, as subtitles show them. Pure."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

MAX_SEGMENT_MS = 7000
MAX_LETTERS = 84
"""Two lines of subtitles."""
MIN_PAUSE_MS = 700
"""A pause that ends a segment."""
MIN_LETTERS_AT_COMMA = 42
"""From this length on, a comma ends a segment as well."""
_ENDINGS = ".?!…。？！"
_COMMAS = ",;:、，；："
MAX_WORD_LETTERS = 200


class UnreadableWords(ValueError):
    """The process that hears sent what is not a list of words."""


@dataclass(frozen=True, slots=True)
class SpokenWord:
    text: str
    """With the space before it, where the language has spaces."""
    t_start: int
    t_end: int
    probability: float


@dataclass(frozen=True, slots=True)
class SpokenSegment:
    words: tuple[SpokenWord, ...]
    language: str

    @property
    def text(self) -> str:
        return " ".join("".join(word.text for word in self.words).split())

    @property
    def t_start(self) -> int:
        return self.words[0].t_start

    @property
    def t_end(self) -> int:
        return max(word.t_end for word in self.words)

    @property
    def confidence(self) -> float:
        """The mean certainty of its letters."""
        letters = sum(len(word.text) for word in self.words)
        return sum(word.probability * len(word.text) for word in self.words) / max(letters, 1)


def spoken_segments(words: Sequence[SpokenWord], language: str) -> list[SpokenSegment]:
    return [SpokenSegment(tuple(part), language) for part in _parts(words) if "".join(one.text for one in part).strip()]


def _parts(words: Sequence[SpokenWord]) -> Iterator[list[SpokenWord]]:
    part: list[SpokenWord] = []
    for word in words:
        if part and _ends_before(part, word):
            yield part
            part = []
        part.append(word)
    if part:
        yield part


def _ends_before(part: Sequence[SpokenWord], word: SpokenWord) -> bool:
    last = part[-1].text.rstrip()
    letters = sum(len(one.text) for one in part)
    return (
        last.endswith(tuple(_ENDINGS))
        or word.t_start - part[-1].t_end >= MIN_PAUSE_MS
        or letters + len(word.text) > MAX_LETTERS
        or word.t_end - part[0].t_start > MAX_SEGMENT_MS
        or (letters >= MIN_LETTERS_AT_COMMA and last.endswith(tuple(_COMMAS)))
    )


def read_words(found: Any, *, offset_ms: int, duration_ms: int) -> list[SpokenWord]:
    """The words of a window that begins at `offset_ms`, checked: the process has read untrusted sound."""
    if not isinstance(found, list):
        raise UnreadableWords("no list")
    words = [_word(one, offset_ms, duration_ms) for one in found]
    return _in_order(word for word in words if word is not None)


def _word(found: Any, offset_ms: int, duration_ms: int) -> SpokenWord | None:
    match found:
        case [str() as text, float() | int() as start_s, float() | int() as end_s, float() | int() as probability]:
            values = (start_s, end_s, probability)
        case _:
            raise UnreadableWords("not a word")
    if len(text) > MAX_WORD_LETTERS or not all(map(math.isfinite, values)):
        raise UnreadableWords("not a word")
    start, end = (min(max(0, round(at * 1000)), duration_ms) for at in (start_s, end_s))
    if not text.strip():
        return None
    return SpokenWord(text, offset_ms + start, offset_ms + max(start, end), min(max(0.0, probability), 1.0))


def _in_order(words: Iterable[SpokenWord]) -> list[SpokenWord]:
    return sorted(words, key=lambda word: word.t_start)


def words_to_json(segment: SpokenSegment) -> list[dict[str, Any]]:
    return [
        {
            "text": word.text.strip(),
            "t_start": word.t_start,
            "t_end": word.t_end,
            "probability": round(word.probability, 3),
        }
        for word in segment.words
    ]
