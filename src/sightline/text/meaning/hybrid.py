"""Hits by words and hits by meaning in one order. Pure.

Exact hits stay first and in their order. What follows, possible misreadings and hits by meaning, is put in one order by reciprocal
rank fusion.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sightline.errors import InvalidInput
from sightline.text.meaning.fusion import fuse
from sightline.text.search import HitLine, HitRow, SearchHit, highlights, parse_query
from sightline.text.segments import Box, fold, words_of

MAX_MEANING_HITS = 50
"""Further ones are seldom what was meant."""
MAX_SHARE_OF_COMMON_WORD = 0.5
"""A word of the query that more of the passages have says nothing about their order."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage near in meaning, with its segments in the order in which they are read."""

    rows: tuple[HitRow, ...]
    similarity: float

    @property
    def key(self) -> UUID:
        return self.rows[0].id

    @property
    def text(self) -> str:
        return "\n".join(row.text for row in self.rows)


def is_plain(q: str) -> bool:
    """Whether a query is words as people say them. Quotes and asterisks ask for exactly these letters."""
    return any(map(str.isalpha, q)) and not set(q) & set('"“”„«»*')


def in_one_order(
    words: Sequence[SearchHit], passages: Sequence[FoundPassage], q: str
) -> list[SearchHit | FoundPassage]:
    """All that a query finds, best first. A passage of which a line was found by its words is not there again."""
    exact = [hit for hit in words if hit.found_as == "exact"]
    slips = {hit.row.id: hit for hit in words if hit.found_as != "exact"}
    found_exactly = {hit.row.id for hit in exact}
    near: list[UUID] = []
    new: list[FoundPassage] = []
    for passage in passages:
        ids = {row.id for row in passage.rows}
        if ids & found_exactly:
            continue
        if also := ids & slips.keys():
            near += also
        elif len(new) < MAX_MEANING_HITS:
            near.append(passage.key)
            new.append(passage)
    by_meaning = {one.key: one for one in new}
    return [
        *exact,
        *(slips.get(key) or by_meaning[key] for key in fuse(list(slips), near, _with_shared_words(new, q))),
    ]


def without_repeats(passages: Sequence[FoundPassage]) -> list[FoundPassage]:
    """The nearest of those with the same text in the same video: a slide that is shown again is one hit."""
    found: dict[tuple[UUID, str], FoundPassage] = {}
    for one in passages:
        found.setdefault((one.rows[0].video_id, fold(one.text)), one)
    return list(found.values())


def passage_hit(passage: FoundPassage, q: str) -> SearchHit:
    """The passage as a hit: its first line, with the text, the time and the place of all of its lines."""
    rows = passage.rows
    text = unicodedata.normalize("NFC", passage.text)
    row = replace(
        rows[0],
        text=text,
        t_start=min(one.t_start for one in rows),
        t_end=max(one.t_end for one in rows),
        confidence=min(one.confidence for one in rows),
        box=_around([one.box for one in rows]),
    )
    try:
        terms = parse_query(q)
    except InvalidInput:
        terms = ()
    lines = [
        HitLine(one, line, highlights(line, terms, is_fuzzy=False))
        for one in rows
        for line in (unicodedata.normalize("NFC", one.text),)
    ]
    spans = highlights(text, terms, is_fuzzy=False)
    return SearchHit(row, text, spans, "meaning", lines=lines, similarity=passage.similarity)


def _with_shared_words(passages: Sequence[FoundPassage], q: str) -> list[UUID]:
    """Passages that also have words of the query, those with more and rarer ones first."""
    wanted = set(words_of(fold(q)))
    shared = {one.key: wanted & set(words_of(fold(one.text))) for one in passages}
    counts = Counter(word for words in shared.values() for word in words)
    common = MAX_SHARE_OF_COMMON_WORD * max(len(passages), 2)
    scores = {key: sum(1 / counts[word] for word in words if counts[word] <= common) for key, words in shared.items()}
    return sorted((key for key, score in scores.items() if score > 0), key=lambda key: -scores[key])


def _around(boxes: Sequence[Box]) -> Box:
    x, y = min(one.x for one in boxes), min(one.y for one in boxes)
    right, bottom = max(one.x + one.width for one in boxes), max(one.y + one.height for one in boxes)
    return Box(x, y, right - x, bottom - y)
