"""Search: a question, one page of what answers it, and how much there is in all."""

import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from sightline.db import Transaction
from sightline.text.search.highlight import TextSpan, highlights
from sightline.text.search.query import MatchMode, SubstringTerm, Term, grams_of, parse_query
from sightline.text.search.request import SearchFilter, index_queries
from sightline.text.search.search_store import HitRow, find_segments, read_hits
from sightline.text.segments import fold

FUZZY_BELOW_EXACT_HITS = 100
"""With so many, nobody looks for what may have been meant; and the commonest words have the most slips."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked for. Pages count from 1."""

    q: str = ""
    match: MatchMode = "words"
    is_fuzzy: bool | None = None
    """Whether to look for slips too; None is for when little else is found."""
    narrowing: SearchFilter = field(default_factory=SearchFilter)
    page: int = 1
    page_size: int = 20


@dataclass(frozen=True, slots=True)
class SearchHit:
    row: HitRow
    text: str
    """In NFC; the spans count its characters."""
    spans: list[TextSpan]
    found_as: Literal["exact", "slip"]


@dataclass(frozen=True, slots=True)
class SearchResults:
    total: int
    hits: list[SearchHit]


async def search_segments(tx: Transaction, asked: SearchRequest, *, is_everywhere: bool = False) -> SearchResults:
    """Best first: what was asked for, then what may be it misread by a letter. Runs as whoever the transaction runs as."""
    terms = parse_query(asked.q, asked.match)
    skip, most = (asked.page - 1) * asked.page_size, asked.page_size
    total = 0
    hits: list[SearchHit] = []
    for number, question in enumerate(index_queries(terms, asked.narrowing, is_fuzzy=asked.is_fuzzy is not False)):
        if number > 0 and asked.is_fuzzy is None and total >= FUZZY_BELOW_EXACT_HITS:
            break
        found = await find_segments(
            tx,
            question,
            asked.narrowing,
            skip=max(0, skip - total),
            most=most - len(hits),
            is_everywhere=is_everywhere,
        )
        total += found.total
        rows = await read_hits(tx, found.ids) if found.ids else []
        hits += [_hit(row, terms, asked, is_slip=number > 0) for row in rows]
    return SearchResults(total, hits)


def _hit(row: HitRow, terms: tuple[Term, ...], asked: SearchRequest, *, is_slip: bool) -> SearchHit:
    text = unicodedata.normalize("NFC", row.text)
    marked = [*terms, *_entity_terms(asked.narrowing.entity_value)]
    spans = highlights(text, marked, is_fuzzy=asked.is_fuzzy is not False)
    return SearchHit(row, text, spans, "slip" if is_slip else "exact")


def _entity_terms(value: str | None) -> list[Term]:
    folded = fold(value or "")
    return [SubstringTerm(folded)] if grams_of(folded) else []
