"""A segment as search sees it: folded text, tags, and how it ranks among hits of the same kind. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sightline.text.conditions import LONGEST_KEY
from sightline.text.entity import Entity, keys_of
from sightline.text.fold import fold, is_unspaced, words_of
from sightline.text.segment import Segment


@dataclass(frozen=True, slots=True)
class SearchRow:
    weight: float
    folded: str
    tags: tuple[str, ...]
    """Keys that the database does not derive from the text by itself."""


def search_row(segment: Segment, entities: Sequence[Entity]) -> SearchRow:
    folded = fold(segment.text)
    tags = {"e" + key for entity in entities for key in keys_of(entity)} | {"w" + word for word in _mixed_words(folded)}
    return SearchRow(
        weight=weight(len(folded), segment.confidence, segment.t_end - segment.t_start),
        folded=folded,
        tags=tuple(sorted(" ".join(tag.split())[:LONGEST_KEY] for tag in tags)),
    )


def weight(length: int, confidence: float, duration_ms: int) -> float:
    """The less else a line says, the surer it was read and the longer it stood, the better a hit it is."""
    seconds = min(duration_ms / 1000, 20)
    return (0.5 + confidence / 2) * (1 + math.log1p(seconds) / 10) / (8 + length)


def _mixed_words(folded: str) -> set[str]:
    """Words of scripts with spaces that touch one without: `tower` in 東京tower."""
    found = set()
    for word in words_of(folded):
        if any(map(is_unspaced, word)) and not all(map(is_unspaced, word)):
            found |= set("".join(" " if is_unspaced(letter) else letter for letter in word).split())
    return found
