"""Video rows: queries and updates. Row level security limits what the role of a transaction can see."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import NotFound
from sightline.videos.video import NewVideo, Video, VideoMove, VideoStatus

_sql = load_queries(Path(__file__).with_name("queries.sql"))
_FIELDS = tuple(field.name for field in fields(Video))


async def get_video(tx: Transaction, video_id: UUID) -> Video | None:
    row = await _sql["get_video"].row(tx, id=video_id)
    return None if row is None else to_video(row)


async def need_video(tx: Transaction, video_id: UUID) -> Video:
    """The video, or `NotFound`, which is the same for a missing video and for one of another owner."""
    found = await get_video(tx, video_id)
    if found is None:
        raise unknown_video(video_id)
    return found


async def lock_video(tx: Transaction, video_id: UUID) -> Video | None:
    """The video, locked until the transaction ends."""
    row = await _sql["get_video_for_update"].row(tx, id=video_id)
    return None if row is None else to_video(row)


async def list_moves(tx: Transaction, video_id: UUID) -> list[VideoMove]:
    rows = await _sql["list_moves"].rows(tx, id=video_id)
    return [VideoMove(row["move"], VideoStatus(row["status"]), row["reason"], row["at"]) for row in rows]


async def insert_video(tx: Transaction, video: NewVideo) -> Video | None:
    """None if there is a video of this id already."""
    try:
        row = await _sql["insert_video"].row(
            tx,
            id=video.id,
            owner_id=video.owner_id,
            team_id=video.team_id,
            owner_email=video.owner_email,
            uploaded_by=video.uploaded_by,
            name=video.name,
            size_bytes=video.size_bytes,
            content_type=video.content_type,
            duration_ms=video.duration_ms,
        )
    except asyncpg.ForeignKeyViolationError as error:
        raise NotFound(f"no team {video.team_id}", code="TEAM_NOT_FOUND") from error
    return None if row is None else to_video(row)


async def update_status(
    tx: Transaction, video_id: UUID, to: VideoStatus, *, expected: Sequence[VideoStatus], reason: str | None
) -> Video | None:
    """None if the video is not in one of the expected statuses. `moves.VideoMoves.move` is what features call."""
    row = await _sql["move"].row(tx, id=video_id, status=to, expected=list(expected), reason=reason)
    return None if row is None else to_video(row)


async def set_media(
    tx: Transaction,
    video_id: UUID,
    *,
    duration_ms: int | None = None,
    fps: float | None = None,
    width: int | None = None,
    height: int | None = None,
    proxy_path: str | None = None,
    thumb_path: str | None = None,
) -> None:
    await _sql["set_media"].run(
        tx,
        id=video_id,
        duration_ms=duration_ms,
        fps=fps,
        width=width,
        height=height,
        proxy_path=proxy_path,
        thumb_path=thumb_path,
    )


async def set_media_note(tx: Transaction, video_id: UUID, note: str | None) -> None:
    """What people should know of the file; None if there is nothing to say."""
    await _sql["set_media_note"].run(tx, id=video_id, note=note)


async def set_sprite_sheet(tx: Transaction, video_id: UUID, sheet: Mapping[str, Any] | None) -> None:
    """The layout of the sprite sheet; None if there is none."""
    await _sql["set_sprite_sheet"].run(tx, id=video_id, sheet=sheet)


async def set_size(tx: Transaction, video_id: UUID, size_bytes: int) -> None:
    await _sql["set_size"].run(tx, id=video_id, size_bytes=size_bytes)


async def known_videos(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these are videos, or were until recently."""
    return {row["id"] for row in await _sql["known_videos"].rows(tx, ids=list(ids))}


async def completed_videos(tx: Transaction, ids: Sequence[UUID]) -> set[UUID]:
    return {row["id"] for row in await _sql["completed_videos"].rows(tx, ids=list(ids))}


def unknown_video(video_id: object) -> NotFound:
    return NotFound(f"no video {video_id}", code="VIDEO_NOT_FOUND")


def to_video(row: asyncpg.Record) -> Video:
    values = {name: row[name] for name in _FIELDS}
    values["status"] = VideoStatus(values["status"])
    if values["failed_from"] is not None:
        values["failed_from"] = VideoStatus(values["failed_from"])
    values["tags"] = tuple(values["tags"])
    return Video(**values)
