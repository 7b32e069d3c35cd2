"""Jobs in each state that operators see."""

import uuid
from datetime import timedelta
from uuid import UUID

from sightline.contracts.jobs import ClipGenerate, JobPayload, Transcode
from sightline.db import Database
from sightline.jobs import JobQueue

LEASE = timedelta(minutes=5)
WORKER = "node-1:7:abc"
ERROR = {"type": "Boom", "message": "it broke", "timestamp": "2026-01-17T10:00:00.000Z", "retry_count": 3}
NOBODY = UUID(int=404)


def transcode(video_id: UUID | None = None) -> Transcode:
    return Transcode(video_id=video_id or uuid.uuid4(), s3_original_path="videos/original/x/master.mp4")


def clip(number: int = 1, video_id: UUID | None = None) -> ClipGenerate:
    return ClipGenerate(
        video_id=video_id or UUID(int=7), clip_id=f"c{number}", t_start=0, t_end=1000, s3_original_path="x.mp4"
    )


async def queued(database: Database, payload: JobPayload) -> UUID:
    async with database.transaction() as tx:
        return (await JobQueue(database).enqueue(tx, payload)).id


async def running(database: Database, payload: JobPayload) -> UUID:
    """Claimed by WORKER. Nothing else of its type may wait."""
    job_id = await queued(database, payload)
    async with database.transaction() as tx:
        [job] = await JobQueue(database).claim(tx, payload.job_type, worker=WORKER, limit=10, lease=LEASE)
    assert job.id == job_id
    return job_id


async def dead(database: Database, payload: JobPayload) -> UUID:
    """Failed for good by WORKER. Nothing else of its type may wait."""
    queue, job_id = JobQueue(database), await queued(database, payload)
    async with database.transaction() as tx:
        [job] = await queue.claim(tx, payload.job_type, worker=WORKER, limit=10, lease=LEASE)
        assert job.id == job_id
        assert await queue.fail(tx, job, ERROR, worker=WORKER)
    return job_id


async def done(database: Database, payload: JobPayload, result: dict[str, object] | None = None) -> UUID:
    queue, job_id = JobQueue(database), await running(database, payload)
    async with database.transaction() as tx:
        if result is not None:
            await queue.set_result(tx, job_id, result, worker=WORKER)
        assert await queue.finish(tx, [job_id], worker=WORKER) == {job_id}
    return job_id
