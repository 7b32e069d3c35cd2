"""Hits in other orders, by video, and counted by facet: made of the ids of a search, whatever found them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text.search.passage_query import PassageQuery
from sightline.text.search.search import (
    FUZZY_BELOW_EXACT_HITS,
    SearchHit,
    SearchRequest,
    hit_of,
    hits_across_lines,
    queries_of,
)
from sightline.text.search.search_store import find_segments, read_hits

SortOrder = Literal["best", "newest", "oldest", "time"]
FacetName = Literal["kind", "language", "video", "tag", "month"]

MAX_GATHERED = 5_000
"""Of more hits, the best are sorted, grouped and counted."""
MAX_ACROSS_LINES = 200
"""Of hits across lines; they are searched for only where there are few others."""
MAX_FACET_VALUES = 20

_sql = load_queries(Path(__file__).with_name("arrangement.sql"))


@dataclass(frozen=True, slots=True)
class FoundIds:
    """The best hits of a search, by the ids of the segments where they begin."""

    total: int
    ids: list[UUID]
    typos: frozenset[UUID] = frozenset()
    across: Mapping[UUID, SearchHit] = field(default_factory=dict)
    """Hits across lines."""

    @property
    def is_partial(self) -> bool:
        return self.total > len(self.ids)


@dataclass(frozen=True, slots=True)
class VideoGroup:
    """A video with hits. `ids` are the best of them, in order of time."""

    video_id: UUID
    video_name: str
    created_at: datetime
    tags: tuple[str, ...]
    hits: int
    ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Facet:
    facet: FacetName
    value: str
    label: str
    hits: int


async def gather_ids(
    tx: Transaction, request: SearchRequest, *, limit: int = MAX_GATHERED, is_everywhere: bool = False
) -> FoundIds:
    """All hits of a search, best first, up to a limit; pages are ignored."""
    total = 0
    ids: dict[UUID, None] = {}
    typos: set[UUID] = set()
    across: dict[UUID, SearchHit] = {}
    for number, (query, found_as) in enumerate(queries_of(request.parsed_terms(), request)):
        if number > 0 and request.is_fuzzy is not True and total >= FUZZY_BELOW_EXACT_HITS:
            break
        left = limit - len(ids)
        if isinstance(query, PassageQuery):
            most = min(left, MAX_ACROSS_LINES)
            lines = await hits_across_lines(tx, query, request, offset=0, limit=most, is_everywhere=is_everywhere)
            new = {hit.row.id: hit for hit in reversed(lines.hits) if hit.row.id not in ids}
            # Several that begin in one line are one hit.
            total += lines.total - len(lines.hits) + len(new)
            across |= new
            ids |= dict.fromkeys(hit.row.id for hit in lines.hits)
        else:
            found = await find_segments(tx, query, request.filters, offset=0, limit=left, is_everywhere=is_everywhere)
            total += found.total
            typos |= set(found.ids) - set(ids) if found_as == "slip" else set()
            ids |= dict.fromkeys(found.ids)
    return FoundIds(total, list(ids), frozenset(typos), across)


async def arrange_hits(
    tx: Transaction, request: SearchRequest, found: FoundIds, sort: SortOrder, *, offset: int, limit: int
) -> list[SearchHit]:
    """One page of the hits in this order."""
    rows = await _sql["in_order"].rows(tx, ids=found.ids, sort=sort, offset=offset, limit=limit)
    return await _hits(tx, request, found, [row["id"] for row in rows])


async def group_by_video(
    tx: Transaction, request: SearchRequest, found: FoundIds, sort: SortOrder, *, each: int, offset: int, limit: int
) -> tuple[int, list[tuple[VideoGroup, list[SearchHit]]]]:
    """How many videos have hits, and one page of them with up to `each` hits."""
    rows = await _sql["by_video"].rows(tx, ids=found.ids, sort=sort, each=each, offset=offset, limit=limit)
    groups = [
        VideoGroup(
            row["video_id"], row["video_name"], row["created_at"], tuple(row["tags"]), row["hits"], tuple(row["ids"])
        )
        for row in rows
    ]
    shown = await _hits(tx, request, found, [one for group in groups for one in group.ids])
    by_video: dict[UUID, list[SearchHit]] = {}
    for hit in shown:
        by_video.setdefault(hit.row.video_id, []).append(hit)
    return (rows[0]["videos"] if rows else 0), [(group, by_video.get(group.video_id, [])) for group in groups]


async def count_facets(tx: Transaction, found: FoundIds) -> list[Facet]:
    return [Facet(**row) for row in await _sql["facets"].rows(tx, ids=found.ids, limit=MAX_FACET_VALUES)]


async def _hits(tx: Transaction, request: SearchRequest, found: FoundIds, ids: Sequence[UUID]) -> list[SearchHit]:
    terms = request.parsed_terms()
    return [
        found.across.get(row.id) or hit_of(row, terms, request, "slip" if row.id in found.typos else "exact")
        for row in await read_hits(tx, ids)
    ]
