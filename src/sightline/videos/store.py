"""Reads video rows. What is seen is up to the transaction's role: row level security narrows a person's."""

from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.videos.video import Video, VideoStatus

_sql = load_queries(Path(__file__).with_name("queries.sql"))


async def list_videos(tx: Transaction, *, most: int, before: tuple[datetime, UUID] | None = None) -> list[Video]:
    """Newest first; `before` is the position (created_at, id) of the last one already seen."""
    before_at, before_id = before or (None, None)
    return [
        _video(row) for row in await _sql["list_videos"].rows(tx, before_at=before_at, before_id=before_id, most=most)
    ]


async def get_video(tx: Transaction, video_id: UUID) -> Video | None:
    row = await _sql["get_video"].row(tx, id=video_id)
    return None if row is None else _video(row)


def _video(row: asyncpg.Record) -> Video:
    return Video(**{**dict(row), "status": VideoStatus(row["status"])})
