"""Search rows of segments: folded text, tags and weight. Pure."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sightline.text.search.conditions import MAX_KEY_LENGTH
from sightline.text.segments import (
    Entity,
    EntityType,
    TextSegment,
    entity_search_keys,
    fold,
    is_unspaced,
    number_keys,
    words_of,
)

MIN_SEGMENTS_OF_COMMON_WORD = 4
"""A word in at least this many segments of a video is common there."""

SPEECH_KEY = "kspeech"
"""What is said has this key, so that it can be found apart from what is shown."""


@dataclass(frozen=True, slots=True)
class SearchRow:
    weight: float
    folded: str
    common: tuple[str, ...]
    """Its words that are common in the video."""
    tags: tuple[str, ...]
    """Keys that the database does not derive from the text."""


@dataclass(frozen=True, slots=True)
class SearchRows:
    """The search rows of one video."""

    rows: dict[UUID, SearchRow]
    """By segment."""
    common_words: dict[str, int]
    """The number of segments with each word."""


def search_rows(segments: Sequence[TextSegment], entities: Mapping[UUID, Sequence[Entity]]) -> SearchRows:
    folded = {one.id: fold(one.text) for one in segments}
    counts = Counter(word for text in folded.values() for word in set(words_of(text)))
    common = {word: hits for word, hits in counts.items() if hits >= MIN_SEGMENTS_OF_COMMON_WORD}
    return SearchRows({one.id: _row(one, folded[one.id], entities[one.id], common) for one in segments}, common)


def _row(segment: TextSegment, folded: str, entities: Sequence[Entity], common: Mapping[str, int]) -> SearchRow:
    tags = (
        {"e" + key for entity in entities for key in entity_search_keys(entity)}
        | number_tags(entities)
        | {"w" + word for word in mixed_words(folded)}
    )
    if segment.kind == "speech":
        tags.add(SPEECH_KEY)
    # A small tie-breaker made of the id keeps equally good rows in one order, by whichever query they are found.
    tie_breaker = 1 + segment.id.int % 1000 / 1_000_000
    return SearchRow(
        weight=weight(len(folded), segment.confidence, segment.t_end - segment.t_start) * tie_breaker,
        folded=folded,
        common=tuple(sorted({word for word in words_of(folded) if word in common})),
        tags=as_tags(tags),
    )


def as_tags(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({" ".join(key.split())[: 1 + MAX_KEY_LENGTH] for key in keys}))


def number_tags(entities: Iterable[Entity]) -> set[str]:
    """Keys of the values of numbers."""
    return {
        "n" + key
        for entity in entities
        if entity.entity_type is EntityType.NUMBER
        for key in number_keys(entity.value, entity.normalized_value)
    }


def weight(length: int, confidence: float, duration_ms: int) -> float:
    """Short, confident and long-shown lines rank higher."""
    seconds = min(duration_ms / 1000, 20)
    return (0.5 + confidence / 2) * (1 + math.log1p(seconds) / 10) / (8 + length)


def mixed_words(folded: str) -> set[str]:
    """Words of scripts with spaces that touch a script without: `tower` in 東京tower."""
    found = set()
    for word in words_of(folded):
        if any(map(is_unspaced, word)) and not all(map(is_unspaced, word)):
            found |= set("".join(" " if is_unspaced(letter) else letter for letter in word).split())
    return found
