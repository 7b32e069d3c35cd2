"""Stored overviews: which sampled frames of a video show something new."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("overviews.sql"))


async def replace_overview(tx: Transaction, video_id: UUID, times_ms: Sequence[int]) -> None:
    await _sql["replace_overview"].run(tx, video_id=video_id, times_ms=list(times_ms))


async def remove_overview(tx: Transaction, video_id: UUID) -> None:
    await _sql["remove_overview"].run(tx, video_id=video_id)


async def get_overview(tx: Transaction, video_id: UUID) -> frozenset[int] | None:
    """None if there is none: of a video sampled by an older version, or by a worker of another program."""
    row = await _sql["get_overview"].row(tx, video_id=video_id)
    return None if row is None else frozenset(row["times_ms"])
