"""Search of text segments: one page of hits and their total number."""

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
"""Typos are searched for only if there are fewer exact hits, unless the request says otherwise; common words have many typos."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search request. Pages count from 1."""

    q: str = ""
    match: MatchMode = "words"
    is_fuzzy: bool | None = None
    """Whether to find typos too; None means only if there are few exact hits."""
    filters: SearchFilter = field(default_factory=SearchFilter)
    page: int = 1
    page_size: int = 20


@dataclass(frozen=True, slots=True)
class SearchHit:
    row: HitRow
    text: str
    """In NFC; the spans count its characters."""
    spans: list[TextSpan]
    found_as: Literal["exact", "slip", "meaning"]
    similarity: float | None = None
    """Of the meaning, from 0 to 1, of a hit that was found by it."""


@dataclass(frozen=True, slots=True)
class SearchResults:
    total: int
    hits: list[SearchHit]
    by_meaning: int = 0
    """How many of `total` were found by meaning alone."""
    is_meaning_used: bool = False


async def search_segments(tx: Transaction, request: SearchRequest, *, is_everywhere: bool = False) -> SearchResults:
    """Exact hits first, then typos, best first. Searches with the rights of the transaction's role."""
    terms = parse_query(request.q, request.match)
    offset, limit = (request.page - 1) * request.page_size, request.page_size
    total = 0
    hits: list[SearchHit] = []
    for number, query in enumerate(index_queries(terms, request.filters, is_fuzzy=request.is_fuzzy is not False)):
        if number > 0 and request.is_fuzzy is None and total >= FUZZY_BELOW_EXACT_HITS:
            break
        found = await find_segments(
            tx,
            query,
            request.filters,
            offset=max(0, offset - total),
            limit=limit - len(hits),
            is_everywhere=is_everywhere,
        )
        total += found.total
        rows = await read_hits(tx, found.ids) if found.ids else []
        hits += [_hit(row, terms, request, is_typo=number > 0) for row in rows]
    return SearchResults(total, hits)


def _hit(row: HitRow, terms: tuple[Term, ...], request: SearchRequest, *, is_typo: bool) -> SearchHit:
    text = unicodedata.normalize("NFC", row.text)
    marked = [*terms, *_entity_terms(request.filters.entity_value)]
    spans = highlights(text, marked, is_fuzzy=request.is_fuzzy is not False)
    return SearchHit(row, text, spans, "slip" if is_typo else "exact")


def _entity_terms(value: str | None) -> list[Term]:
    folded = fold(value or "")
    return [SubstringTerm(folded)] if grams_of(folded) else []
