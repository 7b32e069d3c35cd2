"""Store of passages: writes those of a video, and queries those of all videos."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text.search.passage_query import PassageQuery
from sightline.text.search.passage_row import PassageRow
from sightline.text.search.request import SearchFilter

_sql = load_queries(Path(__file__).with_name("passages.sql"))


async def replace_passages(tx: Transaction, video_id: UUID, rows: Sequence[PassageRow]) -> None:
    """Replaces all passages of a video."""
    await _sql["delete_passages"].run(tx, video_id=video_id)
    if not rows:
        return
    await _sql["insert_passages"].run(
        tx,
        video_id=video_id,
        scopes=[one.scope for one in rows],
        scenes=[one.scene for one in rows],
        weights=[one.weight for one in rows],
        starts=[one.t_start for one in rows],
        ends=[one.t_end for one in rows],
        folded=[one.folded for one in rows],
        unit_starts=[",".join(map(str, one.unit_starts)) for one in rows],
        tags=["\n".join(one.tags) or None for one in rows],
        segment_ids=[",".join(map(str, one.segment_ids)) for one in rows],
    )


@dataclass(frozen=True, slots=True)
class PassagePage:
    """The number of passages that match a query, and the segments of each on one page, in reading order."""

    total: int
    passages: list[list[UUID]]


async def find_passages(
    tx: Transaction,
    query: PassageQuery,
    filters: SearchFilter,
    *,
    offset: int,
    limit: int,
    is_everywhere: bool = False,
) -> PassagePage:
    """Best first, among what the caller may see; among all passages with `is_everywhere`."""
    row = await _sql["search_passages_everywhere" if is_everywhere else "search_passages_as_caller"].row(
        tx,
        scope=query.scope,
        keys=query.keys,
        phrases=list(query.phrases),
        parts=list(query.parts),
        alone_phrases=list(query.alone_phrases),
        alone_parts=list(query.alone_parts),
        near=query.near,
        from_ms=filters.from_ms,
        until_ms=filters.until_ms,
        created_from=filters.created_from,
        created_until=filters.created_until,
        offset=offset,
        limit=limit,
    )
    assert row is not None
    return PassagePage(row["total"], [[UUID(one) for one in ids] for ids in row["passages"]])
