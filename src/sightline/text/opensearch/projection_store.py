"""Store of the projection: which videos have to be sent, and their documents."""

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.text.opensearch.documents import SegmentDocument
from sightline.timing import iso_utc

_sql = load_queries(Path(__file__).with_name("projection.sql"))


async def unsent_videos(tx: Transaction, *, limit: int) -> dict[UUID, int]:
    """Their generations by id."""
    return {row["video_id"]: row["generation"] for row in await _sql["unsent"].rows(tx, limit=limit)}


async def documents_of(
    tx: Transaction, video_id: UUID, generation: int, *, after: UUID | None, limit: int
) -> list[SegmentDocument]:
    """One page of them, by segment id."""
    rows = await _sql["documents"].rows(tx, video_id=video_id, after=after, limit=limit)
    return [
        SegmentDocument(
            row["id"],
            generation,
            {
                "video_id": str(row["video_id"]),
                "owner_id": str(row["owner_id"]),
                "team_id": None if row["team_id"] is None else str(row["team_id"]),
                "kind": row["kind"],
                "language": row["language"],
                "text": row["text"],
                "t_start": row["t_start"],
                "t_end": row["t_end"],
                "confidence": round(row["confidence"], 4),
                "video_created_at": iso_utc(row["video_created_at"]),
            },
        )
        for row in rows
    ]


async def mark_sent(tx: Transaction, generations: Mapping[UUID, int], errors: Mapping[UUID, str]) -> None:
    ids = list(generations)
    await _sql["mark_sent"].run(
        tx, video_ids=ids, generations=[generations[one] for one in ids], errors=[errors.get(one) for one in ids]
    )
    await _sql["forget_removed"].run(tx, video_ids=ids)


async def projection_lag(tx: Transaction) -> tuple[int, int]:
    """How many videos have not been sent yet, and how many the server refused."""
    row = await _sql["lag"].row(tx)
    assert row is not None
    return row["unsent"], row["refused"]
