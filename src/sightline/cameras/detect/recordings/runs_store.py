"""Reads and writes runs over recordings. Row level security decides which of them the transaction's role sees."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.contracts.jobs import DetectRecording
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("runs.sql"))


@dataclass(slots=True)
class RunProgress:
    """How far a run came, and what it found on the way."""

    reached_at: datetime
    reported: int = 0
    """Objects that moved or did something, and became detections."""
    known: int = 0
    """Such objects that had been reported before."""
    left_out: int = 0
    """Segments that could not be read or were removed meanwhile."""


@dataclass(frozen=True, slots=True)
class DetectionRunRow:
    job_id: UUID
    camera_key: UUID
    since: datetime
    until: datetime
    reached_at: datetime
    reported: int
    known: int
    left_out: int
    cancelled_at: datetime | None
    created_at: datetime


async def add_run(tx: Transaction, job_id: UUID, payload: DetectRecording, *, requested_by: UUID) -> None:
    await _sql["add_run"].run(
        tx,
        job_id=job_id,
        camera_key=payload.camera_key,
        since=payload.since,
        until=payload.until,
        requested_by=requested_by,
    )


async def begin_run(tx: Transaction, job_id: UUID, payload: DetectRecording) -> RunProgress:
    """Goes on where an earlier attempt was ended. A job that was enqueued without a run begins at its beginning."""
    row = await _sql["begin_run"].row(tx, job_id=job_id)
    if row is None:
        return RunProgress(payload.since)
    return RunProgress(row["reached_at"], row["reported"], row["known"], row["left_out"])


async def save_run(tx: Transaction, job_id: UUID, progress: RunProgress) -> None:
    await _sql["save_run"].run(
        tx,
        job_id=job_id,
        reached_at=progress.reached_at,
        reported=progress.reported,
        known=progress.known,
        left_out=progress.left_out,
    )


async def is_cancelled(tx: Transaction, job_id: UUID) -> bool:
    return await _sql["cancelled_at"].value(tx, job_id=job_id) is not None


async def cancel_run(tx: Transaction, job_id: UUID) -> None:
    await _sql["cancel_run"].value(tx, job_id=job_id)


async def runs_of_camera(tx: Transaction, camera_key: UUID, *, limit: int) -> list[DetectionRunRow]:
    """Newest first."""
    rows = await _sql["runs_of_camera"].rows(tx, camera_key=camera_key, limit=limit)
    return [DetectionRunRow(**row) for row in rows]


async def run_of_job(tx: Transaction, camera_key: UUID, job_id: UUID) -> DetectionRunRow | None:
    row = await _sql["run_of_job"].row(tx, camera_key=camera_key, job_id=job_id)
    return None if row is None else DetectionRunRow(**row)


async def lock_camera(tx: Transaction, camera_key: UUID) -> None:
    """Another request that looks for an active run of the camera waits until this transaction ends."""
    await _sql["lock_camera"].value(tx, camera_key=str(camera_key))


async def active_run(tx: Transaction, camera_key: UUID) -> UUID | None:
    found: UUID | None = await _sql["active_run"].value(tx, camera_key=camera_key)
    return found
