"""Videos that a retention rule reaches, as a whole or in part: which they are, and the marks that their rows get."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.videos.removal import remove_video

_sql = load_queries(Path(__file__).with_name("due.sql"))
NO_LIMIT = 2**31 - 1


class VideoPart(StrEnum):
    """What a rule can remove of a video."""

    WHOLE = "video"
    ORIGINAL = "original"
    FRAMES = "frames"


@dataclass(frozen=True, slots=True)
class DueVideo:
    id: UUID
    name: str
    created_at: datetime
    size_bytes: int | None
    """Of the original where a rule goes by age; of the part where it goes by size."""


async def lock_retention(tx: Transaction) -> None:
    await _sql["lock_retention"].run(tx)


async def due_by_age(
    tx: Transaction, part: VideoPart, *, days: float, without: Collection[UUID] = (), limit: int = NO_LIMIT
) -> list[DueVideo]:
    """Oldest first."""
    rows = await _sql["due_by_age"].rows(tx, part=part, days=days, without=list(without), limit=limit)
    return [DueVideo(**dict(row)) for row in rows]


async def due_by_size(
    tx: Transaction,
    part: VideoPart,
    *,
    max_bytes: int,
    sizes: Mapping[UUID, int],
    without: Collection[UUID] = (),
    limit: int = NO_LIMIT,
) -> list[DueVideo]:
    """Oldest first, as many as it takes until the rest fits. `sizes` are not needed for originals."""
    rows = await _sql["due_by_size"].rows(
        tx,
        part=part,
        max_bytes=max_bytes,
        ids=list(sizes),
        sizes=list(sizes.values()),
        without=list(without),
        limit=limit,
    )
    return [DueVideo(**dict(row)) for row in rows]


async def remove_part(tx: Transaction, part: VideoPart, ids: Sequence[UUID]) -> list[UUID]:
    """Marks the rows, or deletes them, and requests the removal of the objects. Returns those that it did this for."""
    locked = [row["id"] for row in await _sql["lock_due"].rows(tx, ids=list(ids))]
    if part is VideoPart.WHOLE:
        for video_id in locked:
            await remove_video(tx, video_id, store_upload_id=None)
    elif locked:
        await _sql[f"mark_{part}_removed"].run(tx, ids=locked)
        await _sql["request_object_removals"].run(tx, ids=locked, part=part)
    return locked


async def object_removals_due(tx: Transaction) -> list[tuple[UUID, VideoPart]]:
    return [(row["video_id"], VideoPart(row["part"])) for row in await _sql["object_removals_due"].rows(tx)]


async def forget_object_removal(tx: Transaction, video_id: UUID, part: VideoPart) -> None:
    await _sql["forget_object_removal"].run(tx, video_id=video_id, part=part)


async def frames_stored(tx: Transaction, video_id: UUID) -> None:
    """Key frames were stored again, after a rule had removed them."""
    await _sql["frames_stored"].run(tx, id=video_id)


async def videos_without_frames(tx: Transaction, ids: Collection[UUID]) -> set[UUID]:
    return {row["id"] for row in await _sql["videos_without_frames"].rows(tx, ids=list(ids))}
