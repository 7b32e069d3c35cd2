"""Search of text segments: one page of hits and their total number."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from sightline.db import Transaction
from sightline.text.search.conditions import IndexQuery
from sightline.text.search.highlight import TextSpan, highlights
from sightline.text.search.passage_hit import matched_lines
from sightline.text.search.passage_query import PassageQuery, passage_query
from sightline.text.search.passage_store import find_passages
from sightline.text.search.query import MatchMode, SubstringTerm, Term, grams_of, parse_query
from sightline.text.search.request import SearchFilter, index_queries
from sightline.text.search.search_store import HitRow, find_segments, read_hits
from sightline.text.segments import fold

FUZZY_BELOW_EXACT_HITS = 100
"""Typos, and matches across lines, are searched for only if there are fewer hits before them, unless the request asks for typos;
common words have many of both."""

FoundAs = Literal["exact", "slip", "meaning"]

SURE_CONFIDENCE = 0.85
"""A text read with less may be misread; one read with more differs because the query was mistyped."""


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
    terms: tuple[Term, ...] | None = None
    """Instead of those of `q`."""

    def parsed_terms(self) -> tuple[Term, ...]:
        return parse_query(self.q, self.match) if self.terms is None else self.terms


@dataclass(frozen=True, slots=True)
class HitLine:
    """A line that a match touches."""

    row: HitRow
    text: str
    """In NFC; the spans count its characters."""
    spans: list[TextSpan]


@dataclass(frozen=True, slots=True)
class SearchHit:
    row: HitRow
    """The segment where the match begins."""
    text: str
    """In NFC; the spans count its characters."""
    spans: list[TextSpan]
    found_as: FoundAs
    scope: Literal["line", "block", "moment"] = "line"
    """Whether the match is in one line, across lines of its block, or across blocks that are on screen together."""
    lines: list[HitLine] = field(default_factory=list)
    """All lines that the match touches, in reading order; only the segment itself if it is in one line."""
    similarity: float | None = None
    """Of the meaning, from 0 to 1, of a hit that was found by it."""

    @property
    def may_be_misread(self) -> bool:
        """Whether it differs from the query because of the reader, by what the reader says of its own doubt."""
        return self.found_as == "slip" and self.row.confidence < SURE_CONFIDENCE


@dataclass(frozen=True, slots=True)
class SearchResults:
    total: int
    hits: list[SearchHit]
    by_meaning: int = 0
    """How many of `total` were found by meaning alone."""
    is_meaning_used: bool = False


async def search_segments(tx: Transaction, request: SearchRequest, *, is_everywhere: bool = False) -> SearchResults:
    """Exact hits first, then those across lines of a block, typos, and those across a screen; best first within each.

    Searches with the rights of the transaction's role.
    """
    terms = request.parsed_terms()
    offset, limit = (request.page - 1) * request.page_size, request.page_size
    total = 0
    hits: list[SearchHit] = []
    for number, (query, found_as) in enumerate(queries_of(terms, request)):
        if number > 0 and request.is_fuzzy is not True and total >= FUZZY_BELOW_EXACT_HITS:
            break
        skip, most = max(0, offset - total), limit - len(hits)
        if isinstance(query, PassageQuery):
            across = await hits_across_lines(tx, query, request, offset=skip, limit=most, is_everywhere=is_everywhere)
            total += across.total
            hits += across.hits
        else:
            found = await find_segments(
                tx, query, request.filters, offset=skip, limit=most, is_everywhere=is_everywhere
            )
            total += found.total
            hits += [hit_of(row, terms, request, found_as) for row in await read_hits(tx, found.ids)]
    return SearchResults(total, hits)


def queries_of(terms: tuple[Term, ...], request: SearchRequest) -> Iterator[tuple[IndexQuery | PassageQuery, FoundAs]]:
    """In the order of their hits."""
    exact, *typos = index_queries(terms, request.filters, is_fuzzy=request.is_fuzzy is not False)
    yield exact, "exact"
    if block := passage_query(terms, request.filters, "block"):
        yield block, "exact"
    yield from ((query, "slip") for query in typos)
    if moment := passage_query(terms, request.filters, "moment"):
        yield moment, "exact"


def hit_of(row: HitRow, terms: tuple[Term, ...], request: SearchRequest, found_as: FoundAs) -> SearchHit:
    text = unicodedata.normalize("NFC", row.text)
    marked = [*terms, *_entity_terms(request.filters.entity_value)]
    spans = highlights(text, marked, is_fuzzy=request.is_fuzzy is not False)
    return SearchHit(row, text, spans, found_as, lines=[HitLine(row, text, spans)])


async def hits_across_lines(
    tx: Transaction,
    query: PassageQuery,
    request: SearchRequest,
    *,
    offset: int,
    limit: int,
    is_everywhere: bool = False,
) -> SearchResults:
    """One page of the hits of a query of passages."""
    terms = request.parsed_terms()
    page = await find_passages(tx, query, request.filters, offset=offset, limit=limit, is_everywhere=is_everywhere)
    by_id = {one.id: one for one in await read_hits(tx, {one for ids in page.passages for one in ids})}
    shown = [[by_id[one] for one in ids if one in by_id] for ids in page.passages]
    return SearchResults(page.total, [_passage_hit(rows, terms, query) for rows in shown if rows])


def _passage_hit(rows: list[HitRow], terms: tuple[Term, ...], query: PassageQuery) -> SearchHit:
    matched = matched_lines([row.text for row in rows], terms)
    lines = [HitLine(rows[at], unicodedata.normalize("NFC", rows[at].text), spans) for at, spans in matched.items()]
    first = lines[0]
    return SearchHit(first.row, first.text, first.spans, "exact", scope=query.scope, lines=lines)


def _entity_terms(value: str | None) -> list[Term]:
    folded = fold(value or "")
    return [SubstringTerm(folded)] if grams_of(folded) else []
