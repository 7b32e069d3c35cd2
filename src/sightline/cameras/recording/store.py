"""Reads and writes recordings. Row level security decides which of them the transaction's role sees."""

from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from sightline.cameras.recording.recording import RecordedSpan, RecorderReport, Recording
from sightline.db import Transaction, load_queries

VIEWS_CHANNEL = "recording_views"
"""Notified with a camera's key when somebody plays its newest segments."""
VIEWED_FOR = timedelta(seconds=30)
JOINT = timedelta(seconds=1.5)
"""Segments that are no further apart count as one span of time."""

_sql = load_queries(Path(__file__).with_name("recordings.sql"))


async def begin_recording(
    tx: Transaction, recording: Recording, *, hold: timedelta | None, live: timedelta | None
) -> bool:
    """False if the camera was deleted or the segment is stored.

    `hold` and `live` say how long it stays for an event or a viewer.
    """
    found = await _sql["begin_recording"].value(
        tx,
        recording_id=recording.recording_id,
        camera_key=recording.camera_key,
        run=recording.run,
        number=recording.number,
        started_at=recording.started_at,
        ended_at=recording.ended_at,
        key=recording.key,
        bytes=recording.bytes,
        init_bytes=recording.init_bytes,
        codec=recording.codec,
        width=recording.width,
        height=recording.height,
        has_audio=recording.has_audio,
        is_independent=recording.is_independent,
        hold_s=None if hold is None else hold.total_seconds(),
        live_s=None if live is None else live.total_seconds(),
    )
    return found is not None


async def finish_recording(tx: Transaction, recording_id: UUID) -> bool:
    """False if it was removed in the meantime, and its object has to go."""
    return await _sql["finish_recording"].run(tx, recording_id=recording_id) == 1


async def hold_recordings(
    tx: Transaction, camera_key: UUID, since: datetime, until: datetime, *, hold: timedelta
) -> int:
    return await _sql["hold_recordings"].run(
        tx, camera_key=camera_key, since=since, until=until, hold_s=hold.total_seconds()
    )


async def recordings_between(
    tx: Transaction, camera_key: UUID, since: datetime, until: datetime, *, limit: int, with_live: bool = False
) -> list[Recording]:
    rows = await _sql["recordings_between"].rows(
        tx, camera_key=camera_key, since=since, until=until, limit=limit, with_live=with_live
    )
    return [Recording(**row) for row in rows]


async def newest_recordings(tx: Transaction, camera_key: UUID, *, since: datetime, limit: int) -> list[Recording]:
    """Oldest first."""
    rows = await _sql["newest_recordings"].rows(tx, camera_key=camera_key, since=since, limit=limit)
    return [Recording(**row) for row in reversed(rows)]


async def save_recorder_state(tx: Transaction, camera_key: UUID, report: RecorderReport) -> None:
    await _sql["save_recorder_state"].run(
        tx, camera_key=camera_key, state=report.state, reason=report.reason, dropped=report.dropped
    )


async def recorder_state(tx: Transaction, camera_key: UUID) -> RecorderReport | None:
    row = await _sql["recorder_state"].row(tx, camera_key=camera_key)
    return None if row is None else RecorderReport(row["state"], row["reason"], row["dropped"], row["since"])


async def mark_segments_viewed(tx: Transaction, camera_key: UUID) -> None:
    """Asks the recorder of the camera to store its newest segments for a while."""
    if await _sql["mark_viewed"].run(tx, camera_key=camera_key, view_s=VIEWED_FOR.total_seconds()):
        await _sql["notify_viewed"].value(tx, camera_key=str(camera_key))


async def segments_viewed_until(tx: Transaction, camera_key: UUID) -> datetime | None:
    found: datetime | None = await _sql["viewed_until"].value(tx, camera_key=camera_key)
    return found


async def recorded_spans(tx: Transaction, camera_key: UUID, since: datetime, until: datetime) -> list[RecordedSpan]:
    rows = await _sql["recorded_spans"].rows(
        tx, camera_key=camera_key, since=since, until=until, joint_s=JOINT.total_seconds()
    )
    return [RecordedSpan(**row) for row in rows]


async def recorded_bytes(tx: Transaction, camera_key: UUID) -> int:
    return int(await _sql["recorded_bytes"].value(tx, camera_key=camera_key))
