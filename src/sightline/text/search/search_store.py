"""Store of search rows: writes those of a video, and queries those of all videos."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text.search.conditions import IndexQuery
from sightline.text.search.request import SearchFilter
from sightline.text.search.search_row import SearchRows
from sightline.text.segments import Box, SegmentKind, TextSegment

_sql = load_queries(Path(__file__).with_name("search.sql"))


async def replace_search_rows(
    tx: Transaction, video_id: UUID, segments: Sequence[TextSegment], found: SearchRows
) -> None:
    """Replaces all search rows of a video. Rows of other videos are not touched."""
    rows = found.rows
    await _sql["delete_search_rows"].run(tx, video_id=video_id)
    await _sql["delete_common_words"].run(tx, video_id=video_id)
    await _sql["insert_common_words"].run(
        tx, video_id=video_id, words=list(found.common_words), hits=list(found.common_words.values())
    )
    await _sql["insert_search_rows"].run(
        tx,
        video_id=video_id,
        segment_ids=[one.id for one in segments],
        weights=[rows[one.id].weight for one in segments],
        starts=[one.t_start for one in segments],
        ends=[one.t_end for one in segments],
        languages=[one.language for one in segments],
        folded=[rows[one.id].folded for one in segments],
        common=[f" {' '.join(rows[one.id].common)} " if rows[one.id].common else None for one in segments],
        tags=["\n".join(rows[one.id].tags) or None for one in segments],
    )


async def refresh_index(tx: Transaction) -> None:
    """Sorts what was written into the index, so that searches need not."""
    await _sql["refresh"].run(tx)


@dataclass(frozen=True, slots=True)
class IndexPage:
    """The number of segments that match a query, and one page of them."""

    total: int
    ids: list[UUID]


async def find_segments(
    tx: Transaction, query: IndexQuery, filters: SearchFilter, *, offset: int, limit: int, is_everywhere: bool = False
) -> IndexPage:
    """Best first, among what the caller may see; among all segments with `is_everywhere`."""
    row = await _sql["search_everywhere" if is_everywhere else "search_as_caller"].row(
        tx,
        lone_word=query.lone_word,
        keys=query.keys,
        phrases=list(query.phrases),
        parts=list(query.parts),
        excluded_phrases=list(query.excluded_phrases),
        excluded_parts=list(query.excluded_parts),
        near=query.near,
        from_ms=filters.from_ms,
        until_ms=filters.until_ms,
        created_from=filters.created_from,
        created_until=filters.created_until,
        offset=offset,
        limit=limit,
    )
    assert row is not None
    return IndexPage(row["total"], row["ids"])


@dataclass(frozen=True, slots=True)
class HitRow:
    """A matching segment with its video."""

    id: UUID
    video_id: UUID
    video_name: str
    duration_ms: int | None
    s3_thumb_path: str | None
    text: str
    t_start: int
    t_end: int
    confidence: float
    box: Box
    language: str
    frame_ms: int
    kind: SegmentKind


async def read_hits(tx: Transaction, ids: Collection[UUID]) -> list[HitRow]:
    """In the order of the ids, without segments that the transaction's role may not see."""
    found: list[HitRow] = []
    if not ids:
        return found
    for row in await _sql["read_hits"].rows(tx, ids=list(ids)):
        values = dict(row)
        found.append(HitRow(box=Box.of(values.pop("bounding_box")), **values))
    return found
