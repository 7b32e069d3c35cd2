"""The newest job of each type of a video, from which the progress of its pipeline is shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("latest.sql"))


@dataclass(frozen=True, slots=True)
class LatestJob:
    id: UUID
    video_id: UUID
    job_type: str
    status: str
    progress: float
    progress_message: str | None
    retry_count: int
    run_after: datetime | None
    error: dict[str, Any] | None
    started_at: datetime | None
    finished_at: datetime | None
    payload: dict[str, Any]
    """As it was enqueued."""


async def latest_of_videos(
    tx: Transaction, video_ids: Iterable[UUID], job_types: Sequence[str]
) -> dict[UUID, dict[str, LatestJob]]:
    """By video and type. Leaves out videos without such jobs and videos that the transaction's role may not see."""
    rows = await _sql["latest_of_videos"].rows(tx, video_ids=list(video_ids), job_types=list(job_types))
    found: dict[UUID, dict[str, LatestJob]] = {}
    for row in rows:
        job = LatestJob(**dict(row))
        found.setdefault(job.video_id, {})[job.job_type] = job
    return found
