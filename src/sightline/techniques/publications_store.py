"""Store of publications: how many messages of each analysis were published."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("publications.sql"))


@dataclass(frozen=True, slots=True)
class Publication:
    job_id: UUID
    video_id: UUID
    topic: str
    total: int
    published: int
    result_key: str
    result_bucket: str | None
    """None for the platform's own bucket."""
    completed_at: datetime | None


async def start(
    tx: Transaction,
    *,
    job_id: UUID,
    video_id: UUID,
    topic: str,
    total: int,
    result_key: str,
    result_bucket: str | None = None,
) -> bool:
    """Returns False if another worker has started it already."""
    started = await _sql["start"].run(
        tx,
        job_id=job_id,
        video_id=video_id,
        topic=topic,
        total=total,
        result_key=result_key,
        result_bucket=result_bucket,
    )
    return started == 1


async def get(tx: Transaction, job_id: UUID) -> Publication | None:
    row = await _sql["get"].row(tx, job_id=job_id)
    return None if row is None else Publication(**row)


async def advance(tx: Transaction, job_id: UUID, *, expected: int, count: int) -> bool:
    """Returns False if another worker has advanced it; the caller must then roll back."""
    return await _sql["advance"].run(tx, job_id=job_id, expected=expected, count=count) == 1


async def complete(tx: Transaction, job_id: UUID) -> bool:
    return await _sql["complete"].run(tx, job_id=job_id) == 1


async def jobs_of_videos(tx: Transaction, video_ids: Sequence[UUID]) -> list[tuple[UUID, str]]:
    rows = await _sql["of_videos"].rows(tx, video_ids=list(video_ids))
    return [(row["video_id"], row["job_id"]) for row in rows]
