"""Search filters, and the index queries of a whole search. Pure."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sightline.errors import InvalidInput
from sightline.text.search.conditions import (
    IndexQuery,
    adjacent_words_pattern,
    any_of,
    key,
    match_all,
    match_all_except,
)
from sightline.text.search.query import Term, WordTerm
from sightline.text.segments import EntityType, entity_query_keys


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Restricts the hits of a search; by default not at all."""

    video_id: UUID | None = None
    team_id: UUID | None = None
    language: str | None = None
    entity_type: EntityType | None = None
    entity_value: str | None = None
    from_ms: int | None = None
    until_ms: int | None = None
    """On screen at some time in [from_ms, until_ms) of the video."""
    created_from: datetime | None = None
    created_until: datetime | None = None
    """Of a video created in [created_from, created_until)."""

    def keys(self) -> list[str]:
        found = []
        if self.video_id is not None:
            found.append(key("v", str(self.video_id)))
        if self.team_id is not None:
            found.append(key("g", str(self.team_id)))
        if self.language is not None:
            found.append(key("l", self.language))
        if self.entity_type is not None or self.entity_value is not None:
            found.append(any_of([key("e", one) for one in entity_query_keys(self.entity_type, self.entity_value)]))
        return found


def index_queries(terms: tuple[Term, ...], filters: SearchFilter, *, is_fuzzy: bool) -> list[IndexQuery]:
    """The queries to run in this order: exact matches, then typos. No row matches two of them."""
    keys = filters.keys()
    if not terms and not keys:
        raise InvalidInput(
            "say what to search for: q, or one of video_id, team_id, language, entity_type, entity_value"
        )
    exact = [term.exact() for term in terms]
    loose = [term.loose() for term in terms]
    first = match_all(exact, keys, near=_adjacent(terms))
    if filters == SearchFilter() and len(terms) == 1 and isinstance(terms[0], WordTerm):
        first = replace(first, phrases=exact[0].phrases, lone_word=terms[0].word)
    return [first, match_all_except(loose, exact, keys)] if is_fuzzy and loose != exact else [first]


def _adjacent(terms: tuple[Term, ...]) -> str | None:
    """A pattern that ranks rows with all words next to each other first."""
    if len(terms) < 2 or not all(isinstance(term, WordTerm) for term in terms):
        return None
    return adjacent_words_pattern([term.word for term in terms if isinstance(term, WordTerm)])
