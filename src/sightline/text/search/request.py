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
from sightline.text.search.exclusions import absence_check, absence_key
from sightline.text.search.query import Term, WordTerm
from sightline.text.search.search_row import SPEECH_KEY
from sightline.text.segments import EntityType, SegmentKind, entity_query_keys


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
    kind: SegmentKind | None = None
    video_ids: tuple[UUID, ...] | None = None
    """In one of these; none of them means no hits."""
    entity_types: tuple[EntityType, ...] = ()
    """With an entity of one of these types."""
    excluded: tuple[Term, ...] = ()
    """Without any of these."""

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
        if self.entity_types:
            types = [one for kind in self.entity_types for one in entity_query_keys(kind, None)]
            found.append(any_of([key("e", one) for one in types]))
        if self.video_ids:
            found.append(any_of([key("v", str(one)) for one in self.video_ids]))
        if self.kind == "speech":
            found.append(key("", SPEECH_KEY))
        return found

    def absent_keys(self) -> list[str]:
        """Keys of the index that a hit does not have."""
        found = [one for term in self.excluded if (one := absence_key(term)) is not None]
        return [*found, f"!{key('', SPEECH_KEY)}"] if self.kind == "text" else found

    def checks(self) -> tuple[str, ...]:
        """Regular expressions for the folded text, of what keys cannot exclude."""
        return tuple(one for term in self.excluded if (one := absence_check(term)) is not None)


def index_queries(terms: tuple[Term, ...], filters: SearchFilter, *, is_fuzzy: bool) -> list[IndexQuery]:
    """The queries to run in this order: exact matches, then typos. No row matches two of them."""
    keys = filters.keys()
    if not terms and not keys:
        raise InvalidInput(
            "say what to search for: a word in q, or one of video_id, team_id, tag, language, entity_type, entity_value"
        )
    keys += filters.absent_keys()
    exact = [term.exact() for term in terms]
    loose = [term.loose() for term in terms]
    first = match_all(exact, keys, near=_adjacent(terms))
    if filters == SearchFilter() and len(terms) == 1 and isinstance(terms[0], WordTerm):
        first = replace(first, phrases=exact[0].phrases, lone_word=terms[0].word)
    found = [first, match_all_except(loose, exact, keys)] if is_fuzzy and loose != exact else [first]
    if checks := filters.checks():
        found = [replace(one, phrases=(*one.phrases, *checks)) for one in found]
    return found


def _adjacent(terms: tuple[Term, ...]) -> str | None:
    """A pattern that ranks rows with all words next to each other first."""
    if len(terms) < 2 or not all(isinstance(term, WordTerm) for term in terms):
        return None
    return adjacent_words_pattern([term.word for term in terms if isinstance(term, WordTerm)])
