"""The trash: deleted videos that can be restored until their time there is over.

People see a video in the trash nowhere else: row level security hides it. Its rows and objects stay until it is removed.
"""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.errors import Conflict
from sightline.paging import Cursor
from sightline.videos.store import to_video, unknown_video
from sightline.videos.video import Video

_sql = load_queries(Path(__file__).with_name("trash.sql"))


async def move_to_trash(tx: Transaction, ids: Sequence[UUID]) -> list[Video]:
    """All of them, or `Conflict` if one is not processed yet."""
    moved = [to_video(row) for row in await _sql["move_to_trash"].rows(tx, ids=list(ids))]
    left = set(ids) - {video.id for video in moved}
    if left:
        raise Conflict(
            "A video that is being uploaded or processed can't be moved to the trash. "
            "Wait until it is ready, or delete it for good.",
            details={"videoIds": sorted(map(str, left))},
        )
    return moved


async def need_trashed(tx: Transaction, ids: Sequence[UUID]) -> list[Video]:
    """These videos, locked, or `NotFound` if one of them is not in the trash. Who may see them is for the caller to check."""
    found = {row["id"]: to_video(row) for row in await _sql["read_trash"].rows(tx, ids=list(ids))}
    for video_id in ids:
        if video_id not in found:
            raise unknown_video(video_id)
    return [found[video_id] for video_id in ids]


async def restore_videos(tx: Transaction, ids: Sequence[UUID]) -> list[Video]:
    return [to_video(row) for row in await _sql["restore"].rows(tx, ids=list(ids))]


async def list_trash(
    tx: Transaction, owner_ids: Sequence[UUID], *, limit: int, before: Cursor[UUID] | None = None
) -> list[Video]:
    """Of these owners, whom row level security does not show it: pass those for whom the caller of the request may act."""
    at, before_id = (None, None) if before is None else (before.at, before.id)
    rows = await _sql["list_trash"].rows(tx, owner_ids=list(owner_ids), before_at=at, before_id=before_id, limit=limit)
    return [to_video(row) for row in rows]


async def trash_due(tx: Transaction, *, days: float) -> list[UUID]:
    """Those to remove for good, locked."""
    return [row["id"] for row in await _sql["trash_due"].rows(tx, days=days)]
