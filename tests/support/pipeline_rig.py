"""A platform with videos and workers, for tests of pipeline jobs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from pydantic import SecretStr

from sightline import job_types
from sightline.bootstrap import Platform, open_platform
from sightline.config import Settings
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.contracts.jobs import JobPayload
from sightline.jobs import Job, JobRecord, JobsSettings, Worker, get_job
from sightline.jobs.queue import CHANNEL
from sightline.objects import ObjectsSettings, original_key
from sightline.observability import create_registry
from sightline.videos import NewVideo, Video, VideoStatus, need_video
from support.postgres import DatabaseAddresses, patient_settings
from support.waiting import soon, until

POLL_S = 0.05
"""How often a job is read while a test waits for it; more often would slow the job down."""

STATUSES_IN_ORDER = (
    VideoStatus.UPLOADED,
    VideoStatus.PROCESSING,
    VideoStatus.SPLITTING,
    VideoStatus.PRINTING,
    VideoStatus.COMPLETED,
)


@dataclass
class PipelineRig:
    platform: Platform

    async def add(
        self, path: Path | None, *, status: VideoStatus = VideoStatus.PROCESSING, owner: UUID = LOCAL_OWNER_ID
    ) -> UUID:
        """Adds a video with this status, and its original to the store."""
        video_id = uuid4()
        if path is not None:
            await self.platform.objects.put_file(original_key(video_id), path)
        async with self.platform.database.transaction() as tx:
            await self.platform.videos.create(tx, NewVideo(video_id, owner, "a talk.mp4"))
            for next_status in (
                STATUSES_IN_ORDER[: STATUSES_IN_ORDER.index(status) + 1] if status in STATUSES_IN_ORDER else ()
            ):
                await self.platform.videos.move(tx, video_id, next_status)
        return video_id

    async def video(self, video_id: UUID) -> Video:
        async with self.platform.database.transaction() as tx:
            return await need_video(tx, video_id)

    async def sql(self, statement: str, *arguments: Any) -> list[Any]:
        async with self.platform.database.transaction() as tx:
            return await tx.fetch(statement, *arguments)

    async def job(self, job_id: UUID) -> JobRecord:
        async with self.platform.database.transaction() as tx:
            found = await get_job(tx, job_id)
        assert found is not None
        return found

    async def jobs_of(self, video_id: UUID, job_type: str) -> list[Any]:
        return await self.sql(
            "SELECT * FROM jobs WHERE video_id = $1 AND job_type = $2::text::job_type ORDER BY created_at",
            video_id,
            job_type,
        )

    async def enqueue(self, payload: JobPayload) -> UUID:
        async with self.platform.database.transaction() as tx:
            return (await self.platform.jobs.enqueue(tx, payload)).id

    async def make_due(self, job_id: UUID) -> None:
        """Ends the delay of a job and notifies workers."""
        await self.sql(
            "UPDATE jobs SET run_after = now() - interval '1 second' WHERE id = $1 RETURNING pg_notify($2, job_type::text)",
            job_id,
            CHANNEL,
        )

    async def end_lease(self, job_id: UUID) -> None:
        """Lets the lease of a job expire."""
        await self.sql("UPDATE jobs SET locked_until = now() - interval '1 second' WHERE id = $1", job_id)

    def worker(self, handler: Job[Any]) -> Worker:
        return Worker(
            handler,
            database=self.platform.database,
            listener=self.platform.listener,
            settings=JobsSettings(),
            grace_s=60,
        )

    @asynccontextmanager
    async def working(self, handler: Job[Any]) -> AsyncIterator[None]:
        stop = asyncio.Event()
        running = asyncio.create_task(self.worker(handler).run(stop, lambda: None))
        try:
            yield
        finally:
            stop.set()
            await running

    async def settled(self, job_id: UUID, *, retried: int = 0) -> JobRecord:
        """Waits until an attempt of the job has ended, after this many retries; returns the job."""
        seen: list[JobRecord] = []

        async def is_settled() -> bool:
            await asyncio.sleep(POLL_S)
            seen[:] = [await self.job(job_id)]
            return seen[0].status in ("done", "failed") or (
                seen[0].status == "queued" and seen[0].retry_count > retried
            )

        await until(is_settled, within_s=60)
        return seen[0]

    async def run(self, payload: JobPayload, handler: Job[Any] | None = None) -> JobRecord:
        """Enqueues a job and runs it until an attempt has ended."""
        job_id = await self.enqueue(payload)
        async with self.working(handler or self.handler(payload.job_type)):
            return await self.settled(job_id)

    def handler(self, job_type: str) -> Job[Any]:
        build: Callable[[Platform], Job[Any]] = getattr(job_types, job_type)
        return build(self.platform)

    async def keys(self, prefix: str) -> list[str]:
        return [stored.key async for stored in self.platform.objects.find(prefix)]


@asynccontextmanager
async def open_pipeline_rig(fresh_database: DatabaseAddresses, state_dir: Path) -> AsyncIterator[PipelineRig]:
    settings = Settings(
        state_dir=state_dir,
        database=patient_settings(url=SecretStr(fresh_database.url)),
        objects=ObjectsSettings(minimum_free_bytes=0),
    )
    async with open_platform(settings, registry=create_registry()) as platform:
        stop, ready = asyncio.Event(), asyncio.Event()
        listening = asyncio.create_task(platform.listener.run(stop, ready.set))
        await soon(ready.wait())
        try:
            yield PipelineRig(platform)
        finally:
            stop.set()
            await listening
