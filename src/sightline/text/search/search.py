"""Search: a question, one page of what answers it, and how much there is in all."""

import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from sightline.db import Transaction
from sightline.text.search.fold import fold
from sightline.text.search.highlight import Span, highlights
from sightline.text.search.query import Match, Part, Term, grams_of, parse
from sightline.text.search.request import Narrowing, questions
from sightline.text.search.search_store import HitRow, find, read_hits

ENOUGH_EXACT_HITS = 100
"""With so many, nobody looks for what may have been meant; and the commonest words have the most slips."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked for. Pages count from 1."""

    q: str = ""
    match: Match = "words"
    is_fuzzy: bool | None = None
    """Whether to look for slips too; None is for when little else is found."""
    narrowing: Narrowing = field(default_factory=Narrowing)
    page: int = 1
    page_size: int = 20


@dataclass(frozen=True, slots=True)
class Hit:
    row: HitRow
    text: str
    """In NFC; the spans count its characters."""
    spans: list[Span]
    found_as: Literal["exact", "slip"]


@dataclass(frozen=True, slots=True)
class Hits:
    total: int
    hits: list[Hit]


async def search(tx: Transaction, asked: Search, *, is_everywhere: bool = False) -> Hits:
    """Best first: what was asked for, then what may be it misread by a letter. Runs as whoever the transaction runs as."""
    terms = parse(asked.q, asked.match)
    skip, most = (asked.page - 1) * asked.page_size, asked.page_size
    total = 0
    hits: list[Hit] = []
    for number, question in enumerate(questions(terms, asked.narrowing, is_fuzzy=asked.is_fuzzy is not False)):
        if number > 0 and asked.is_fuzzy is None and total >= ENOUGH_EXACT_HITS:
            break
        found = await find(
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
    return Hits(total, hits)


def _hit(row: HitRow, terms: tuple[Term, ...], asked: Search, *, is_slip: bool) -> Hit:
    text = unicodedata.normalize("NFC", row.text)
    marked = [*terms, *_of_entity(asked.narrowing.entity_value)]
    spans = highlights(text, marked, is_fuzzy=asked.is_fuzzy is not False)
    return Hit(row, text, spans, "slip" if is_slip else "exact")


def _of_entity(value: str | None) -> list[Term]:
    folded = fold(value or "")
    return [Part(folded)] if grams_of(folded) else []
