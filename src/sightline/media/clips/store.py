"""The clip store. Row level security decides which clips the transaction's role sees."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.contracts.jobs import ClipGenerate, ClipPart
from sightline.db import Transaction, load_queries
from sightline.errors import NotFound
from sightline.media.clips.clip import ClipSpan, ClipStatus, VideoClip
from sightline.paging import Cursor

_sql = load_queries(Path(__file__).with_name("clips.sql"))
_FIELDS = tuple(field.name for field in fields(VideoClip))


async def insert_clip(
    tx: Transaction, payload: ClipGenerate, *, created_by: UUID, name: str | None = None
) -> VideoClip:
    row = await _sql["insert_clip"].row(
        tx,
        id=payload.clip_id,
        video_id=payload.video_id,
        t_start=payload.t_start,
        t_end=payload.t_end,
        padding_ms=payload.padding_ms,
        created_by=created_by,
        name=name,
        captions=payload.captions,
        caption_kind=payload.caption_kind,
        parts=_parts(payload),
    )
    assert row is not None
    return _clip(row)


async def need_clip(tx: Transaction, clip_id: str) -> VideoClip:
    """The clip; `NotFound` if it does not exist or the caller may not see it."""
    row = await _sql["get_clip"].row(tx, id=clip_id)
    if row is None:
        raise NotFound(f"no clip {clip_id}", code="CLIP_NOT_FOUND")
    return _clip(row)


async def list_clips(
    tx: Transaction, video_id: UUID, *, limit: int, before: Cursor[str] | None = None
) -> list[VideoClip]:
    """Newest first, after the cursor."""
    before_at, before_id = (None, None) if before is None else (before.at, before.id)
    rows = await _sql["list_clips"].rows(tx, video_id=video_id, before_at=before_at, before_id=before_id, limit=limit)
    return [_clip(row) for row in rows]


async def begin_clip(tx: Transaction, payload: ClipGenerate, span: ClipSpan) -> bool:
    """False if the video does not exist, or the id belongs to a clip of another video."""
    found = await _sql["begin_clip"].value(
        tx,
        id=payload.clip_id,
        video_id=payload.video_id,
        t_start=payload.t_start,
        t_end=payload.t_end,
        padding_ms=payload.padding_ms,
        start_ms=span.start_ms,
        end_ms=span.end_ms,
        captions=payload.captions,
        caption_kind=payload.caption_kind,
        parts=_parts(payload),
    )
    return found is not None


async def finish_clip(tx: Transaction, clip_id: str, *, path: str, size_bytes: int, keep: timedelta) -> None:
    await _sql["finish_clip"].run(tx, id=clip_id, path=path, size_bytes=size_bytes, keep_s=keep.total_seconds())


async def fail_clip(tx: Transaction, clip_id: str, video_id: UUID, reason: str) -> None:
    await _sql["fail_clip"].run(tx, id=clip_id, video_id=video_id, reason=reason)


async def expired_clips(tx: Transaction, *, limit: int) -> dict[str, str]:
    """Object keys of expired clips by clip id."""
    return {row["id"]: row["s3_path"] for row in await _sql["expired_clips"].rows(tx, limit=limit)}


async def expire_clip(tx: Transaction, clip_id: str) -> bool:
    return await _sql["expire_clip"].run(tx, id=clip_id) == 1


async def clips_over_size(tx: Transaction, *, max_bytes: int, limit: int) -> dict[str, int]:
    """Sizes of the oldest clips by id, as many as it takes until the rest fits."""
    rows = await _sql["clips_over_size"].rows(tx, max_bytes=max_bytes, limit=limit)
    return {row["id"]: row["size_bytes"] for row in rows}


async def end_clips(tx: Transaction, ids: Sequence[str]) -> int:
    """Lets these clips expire now."""
    return await _sql["end_clips"].run(tx, ids=list(ids))


def _clip(row: asyncpg.Record) -> VideoClip:
    values = {name: row[name] for name in _FIELDS}
    values["status"] = ClipStatus(values["status"])
    values["parts"] = tuple(ClipPart.model_validate(part) for part in values["parts"] or ())
    return VideoClip(**values)


def _parts(payload: ClipGenerate) -> list[dict[str, Any]] | None:
    return [part.model_dump() for part in payload.parts] or None
