"""Search rows of passages: the text of several lines as one, so that words and phrases are found across them. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from sightline.text.search.conditions import pair_key
from sightline.text.search.highlight import WORD
from sightline.text.search.search_row import SPEECH_KEY, as_tags, mixed_words, number_tags, weight
from sightline.text.segments import (
    BlockLine,
    Entity,
    Passage,
    PassageScope,
    TextSegment,
    find_passages,
    fold,
    fold_with_offsets,
    join_lines,
    words_of,
)


@dataclass(frozen=True, slots=True)
class PassageRow:
    scope: PassageScope
    scene: int
    """Hits in the same scene of a video count once."""
    weight: float
    t_start: int
    t_end: int
    folded: str
    unit_starts: tuple[int, ...]
    """Where the parts begin that are searched on their own before: lines of a block, blocks of a moment. Counted from 1."""
    tags: tuple[str, ...]
    """Keys that the database does not derive from the text."""
    segment_ids: tuple[UUID, ...]


def passage_rows(
    segments: Sequence[TextSegment], places: dict[UUID, BlockLine], entities: Mapping[UUID, Sequence[Entity]]
) -> list[PassageRow]:
    return [_row(number, one, entities) for number, one in enumerate(find_passages(segments, places))]


def _row(number: int, passage: Passage, entities: Mapping[UUID, Sequence[Entity]]) -> PassageRow:
    lines = passage.lines
    joined = join_lines([one.text for one in lines])
    folded, offsets = fold_with_offsets(joined.text)
    tags = number_tags(entity for one in lines for entity in entities[one.id])
    tags |= {"l" + one.language for one in lines} | {"w" + word for word in mixed_words(folded)}
    if lines[0].kind == "speech":
        tags.add(SPEECH_KEY)
    for first, second in joined.split_words:
        tags |= _tags_of_split_word(fold(first), fold(second))
    starts = [bisect_left(offsets, joined.starts[at]) for at in passage.units]
    tags |= _pairs_across(folded, starts)
    return PassageRow(
        scope=passage.scope,
        scene=passage.scene if passage.scope == "moment" else number,
        weight=weight(len(folded), sum(one.confidence for one in lines) / len(lines), passage.t_end - passage.t_start),
        t_start=passage.t_start,
        t_end=passage.t_end,
        folded=folded,
        unit_starts=tuple(1 + start for start in starts if start < len(folded)),
        tags=as_tags(tags),
        segment_ids=tuple(one.id for one in lines),
    )


def _pairs_across(folded: str, starts: Sequence[int]) -> set[str]:
    """Two words that follow each other in different parts. Those within a part are found there."""
    words = [(found[0], found.start(), found.end()) for found in WORD.finditer(folded)]
    return {
        "p" + pair_key(one, other)
        for (one, since, _), (other, _, until) in pairwise(words)
        if (at := bisect_right(starts, since)) < len(starts) and starts[at] < until
    }


def _tags_of_split_word(first: str, second: str) -> set[str]:
    """The whole word, marked as one that no line has; and its parts, which may be words of their own."""
    head, tail = words_of(first), words_of(second)
    if not head or not tail:
        return set()
    return {f"h{head[-1]}{tail[0]}", f"w{head[-1]}", f"w{tail[0]}", "p" + pair_key(head[-1], tail[0])}
