"""Reads and writes clips of events. Row level security decides which of them the transaction's role sees."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from sightline.cameras.recording.clips.clip import EventClip
from sightline.contracts.jobs import RecordingClip
from sightline.db import Transaction, load_queries

TOLERANCE = timedelta(seconds=1)
"""An event that goes on for less does not make its clip anew."""

_sql = load_queries(Path(__file__).with_name("clips.sql"))


async def request_event_clip(tx: Transaction, payload: RecordingClip, *, requested_by: UUID | None) -> bool:
    """False if the event has a clip, or one on its way, that shows it to its end."""
    found = await _sql["request_clip"].value(
        tx,
        event_id=payload.event_id,
        camera_key=payload.camera_key,
        since=payload.since,
        until=payload.until,
        requested_by=requested_by,
        tolerance_s=TOLERANCE.total_seconds(),
    )
    return found is not None


async def find_event_clip(tx: Transaction, event_id: int) -> EventClip | None:
    row = await _sql["find_clip"].row(tx, event_id=event_id)
    return None if row is None else EventClip(**row)


async def event_clip_states(tx: Transaction, event_ids: Sequence[int]) -> dict[int, str]:
    """Of those events that have a clip."""
    return {row["event_id"]: row["state"] for row in await _sql["clip_states"].rows(tx, event_ids=list(event_ids))}


async def begin_clip(tx: Transaction, payload: RecordingClip) -> bool:
    """False if it was removed or requested anew in the meantime."""
    return await _sql["begin_clip"].value(tx, event_id=payload.event_id, until=payload.until) is not None


async def finish_clip(
    tx: Transaction, payload: RecordingClip, *, started_at: datetime, ended_at: datetime, size_bytes: int, left_out: int
) -> None:
    await _sql["finish_clip"].run(
        tx,
        event_id=payload.event_id,
        until=payload.until,
        started_at=started_at,
        ended_at=ended_at,
        size_bytes=size_bytes,
        left_out=left_out,
    )


async def fail_clip(tx: Transaction, payload: RecordingClip, reason: str) -> None:
    await _sql["fail_clip"].run(tx, event_id=payload.event_id, until=payload.until, reason=reason)


async def clips_after(tx: Transaction, after: int, *, limit: int) -> list[int]:
    """Ids of events that have a clip."""
    return [row["event_id"] for row in await _sql["clips_after"].rows(tx, after=after, limit=limit)]


async def delete_clips(tx: Transaction, event_ids: Sequence[int]) -> int:
    return await _sql["delete_clips"].run(tx, event_ids=list(event_ids))
