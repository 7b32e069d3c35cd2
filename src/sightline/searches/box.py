"""One search of the box: operators, texts and speech, names, other orders, groups and facets."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING
from uuid import UUID

from sightline.db import Transaction
from sightline.errors import InvalidInput
from sightline.searches.named import NamedHit, NameQuery, find_by_name
from sightline.text import (
    FUZZY_BELOW_EXACT_HITS,
    HIT_KINDS,
    BoxQuery,
    Facet,
    SearchFilter,
    SearchHit,
    SearchRequest,
    SortOrder,
    VideoGroup,
    arrange_hits,
    count_facets,
    gather_ids,
    group_by_video,
    parse_box,
    search_segments,
)
from sightline.videos import MAX_FOUND, find_videos

if TYPE_CHECKING:  # numpy comes with it, which settings and small commands do without
    from sightline.text.meaning import MeaningMode, MeaningSearch

HITS_PER_VIDEO = 6


@dataclass(frozen=True, slots=True)
class BoxRequest:
    """A search request as people write it, with what was chosen beside the box."""

    search: SearchRequest
    tags: tuple[str, ...] = ()
    sort: SortOrder = "best"
    is_grouped: bool = False
    """One entry per video; pages then count videos."""
    has_facets: bool = False


@dataclass(frozen=True, slots=True)
class BoxResults:
    total: int = 0
    hits: list[SearchHit] = field(default_factory=list)
    named: list[NamedHit] = field(default_factory=list)
    groups: list[tuple[VideoGroup, list[SearchHit]]] | None = None
    total_videos: int | None = None
    facets: list[Facet] | None = None
    segment_ids: frozenset[UUID] = frozenset()
    """All that was found by words, on whatever page, where hits are grouped, sorted or counted."""
    similar: list[SearchHit] = field(default_factory=list)
    """Passages similar in meaning, where they are not among the hits."""
    by_meaning: int = 0
    is_meaning_used: bool = False
    is_partial: bool = False
    """Whether there are more hits than are sorted, grouped and counted."""


async def search_box(
    tx: Transaction,
    request: BoxRequest,
    *,
    meaning: "MeaningSearch | None" = None,
    mode: "MeaningMode" = "off",
    timeout_s: float | None = None,
    is_everywhere: bool = False,
) -> BoxResults:
    """Searches with the rights of the transaction's role; `is_everywhere` is for the platform itself.

    `timeout_s` is how long the model of `meaning` may take; its setting by default.
    """
    asked = request.search
    query = parse_box(asked.q) if asked.match == "words" else BoxQuery()
    chosen = await _videos_of(tx, query, request.tags, is_everywhere=is_everywhere)
    filters = _filters(query, asked.filters, chosen)
    search = replace(asked, filters=filters, terms=query.terms() if asked.match == "words" else None)
    is_nowhere = chosen is not None and not chosen
    found = (
        BoxResults()
        if is_nowhere or not _finds_segments(query, search)
        else await _segments(tx, request, search, is_everywhere)
        if meaning is None or mode == "off"
        else await _with_meaning(tx, request, search, query, meaning, mode, timeout_s, is_everywhere)
    )
    if mode == "only":
        return found
    if asked.match == "words" and asked.page == 1 and not is_nowhere:
        named = await find_by_name(tx, _name_query(query, request, filters), is_everywhere=is_everywhere)
        return replace(found, named=named)
    return found


def _finds_segments(query: BoxQuery, search: SearchRequest) -> bool:
    """False for a search of names alone. A search for nothing at all is refused by the search of segments."""
    if not query.finds("text") and not query.finds("speech"):
        if not query.words and not query.tags:
            raise InvalidInput("q: add a word to search for", details={"reason": "operator"})
        return False
    return True


async def _segments(tx: Transaction, request: BoxRequest, search: SearchRequest, is_everywhere: bool) -> BoxResults:
    offset, limit = (search.page - 1) * search.page_size, search.page_size
    if _is_plain_list(request):
        plain = await search_segments(tx, search, is_everywhere=is_everywhere)
        return BoxResults(plain.total, plain.hits)
    found = await gather_ids(tx, search, is_everywhere=is_everywhere)
    facets = await count_facets(tx, found) if request.has_facets else None
    across = {line.row.id for hit in found.across.values() for line in hit.lines}
    ids = frozenset(found.ids) | across
    results = BoxResults(found.total, facets=facets, is_partial=found.is_partial, segment_ids=ids)
    if not request.is_grouped:
        hits = await arrange_hits(tx, search, found, request.sort, offset=offset, limit=limit)
        return replace(results, hits=hits)
    videos, groups = await group_by_video(
        tx, search, found, request.sort, each=HITS_PER_VIDEO, offset=offset, limit=limit
    )
    return replace(results, groups=groups, total_videos=videos)


async def _with_meaning(
    tx: Transaction,
    request: BoxRequest,
    search: SearchRequest,
    query: BoxQuery,
    meaning: "MeaningSearch",
    mode: "MeaningMode",
    timeout_s: float | None,
    is_everywhere: bool,
) -> BoxResults:
    """Among the hits where they are in the order of the best, otherwise apart from them."""
    if search.match == "words":
        search = replace(search, q=" ".join(one.text for one in query.words))
    if mode == "only" or _is_plain_list(request):
        hits = await meaning.search(tx, search, mode=mode, is_everywhere=is_everywhere, timeout_s=timeout_s)
        return BoxResults(hits.total, hits.hits, by_meaning=hits.by_meaning, is_meaning_used=hits.is_meaning_used)
    found = await _segments(tx, request, search, is_everywhere)
    if search.page > 1 or found.total >= FUZZY_BELOW_EXACT_HITS:
        return found
    similar = await meaning.below(tx, search, found.segment_ids, is_everywhere=is_everywhere, timeout_s=timeout_s)
    if similar is None:
        return found
    return replace(found, similar=similar, by_meaning=len(similar), is_meaning_used=True)


def _is_plain_list(request: BoxRequest) -> bool:
    return request.sort == "best" and not request.is_grouped and not request.has_facets


async def _videos_of(tx: Transaction, query: BoxQuery, tags: Sequence[str], *, is_everywhere: bool) -> set[UUID] | None:
    """The videos that in: and tag: name; None without them."""
    found: set[UUID] | None = None
    all_tags = [*(one.text for one in query.tags), *tags]
    if all_tags:
        tagged = await find_videos(tx, tags=all_tags, limit=MAX_FOUND + 1, is_everywhere=is_everywhere)
        found = _ids("tag:", [one.id for one in tagged])
    if query.videos:
        named: set[UUID] = set()
        for one in query.videos:
            if (video_id := _uuid(one.text)) is not None:
                named.add(video_id)
                continue
            matches = await find_videos(
                tx, [one.text], only_names=True, limit=MAX_FOUND + 1, is_everywhere=is_everywhere
            )
            named |= _ids(f"in:{one}", [match.id for match in matches])
        found = named if found is None else found & named
    return found


def _ids(what: str, ids: list[UUID]) -> set[UUID]:
    if len(ids) > MAX_FOUND:
        raise InvalidInput(
            f"q: {what} fits more than {MAX_FOUND} videos; use a longer name, or before: and after: instead",
            details={"reason": "operator"},
        )
    return set(ids)


def _filters(query: BoxQuery, filters: SearchFilter, videos: set[UUID] | None) -> SearchFilter:
    after, before = _midnight(query.after), _midnight(query.before)
    froms = [one for one in (filters.created_from, after) if one is not None]
    untils = [one for one in (filters.created_until, before) if one is not None]
    return replace(
        filters,
        kind=filters.kind or query.segment_kind,
        video_ids=None if videos is None else tuple(sorted(videos)),
        entity_types=query.entity_types,
        excluded=query.excluded_terms(),
        created_from=max(froms, default=None),
        created_until=min(untils, default=None),
    )


def _name_query(query: BoxQuery, request: BoxRequest, filters: SearchFilter) -> NameQuery:
    chosen = request.search.filters
    is_narrowed = chosen.kind or chosen.language or chosen.entity_type or chosen.entity_value or chosen.from_ms
    kinds = frozenset(one for one in HIT_KINDS if query.finds(one)) if not is_narrowed else frozenset()
    ids = None if filters.video_ids is None else frozenset(filters.video_ids)
    if filters.video_id is not None:
        ids = frozenset({filters.video_id}) if ids is None else ids & {filters.video_id}
    return NameQuery(
        words=tuple(one.text for one in query.words),
        excluded=tuple(one.text for one in query.excluded),
        tags=(*(one.text for one in query.tags), *request.tags),
        video_ids=ids,
        created_from=filters.created_from,
        created_until=filters.created_until,
        kinds=kinds,
    )


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
