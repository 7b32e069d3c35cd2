"""A platform of the test's own with videos in it, and workers that run the jobs of media."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from pydantic import SecretStr

from conftest import DatabaseAddresses
from sightline import roles
from sightline.api import create_app
from sightline.bootstrap import Platform, open_platform
from sightline.config import Settings
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.contracts.jobs import JobPayload
from sightline.db import DatabaseSettings
from sightline.jobs import Job, JobRecord, JobsSettings, Worker
from sightline.jobs.admin import get_job
from sightline.objects import ObjectsSettings
from sightline.observability import create_registry
from sightline.videos import NewVideo, Video, VideoStatus, need_video
from sightline.videos.keys import original_key
from support.waiting import until

BEFORE = (
    VideoStatus.UPLOADED,
    VideoStatus.PROCESSING,
    VideoStatus.SPLITTING,
    VideoStatus.PRINTING,
    VideoStatus.COMPLETED,
)


@dataclass
class MediaInUse:
    platform: Platform

    async def add(
        self, path: Path | None, *, status: VideoStatus = VideoStatus.PROCESSING, owner: UUID = LOCAL_OWNER_ID
    ) -> UUID:
        """A video in the store whose processing has come that far."""
        video_id = uuid4()
        if path is not None:
            await self.platform.objects.put_file(original_key(video_id), path)
        async with self.platform.database.transaction() as tx:
            await self.platform.videos.create(tx, NewVideo(video_id, owner, "a talk.mp4"))
            for step in BEFORE[: BEFORE.index(status) + 1] if status in BEFORE else ():
                await self.platform.videos.move(tx, video_id, step)
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
        await self.sql("UPDATE jobs SET run_after = now() - interval '1 second' WHERE id = $1", job_id)

    def worker(self, kind: Job[Any], *, lease_s: float = 300) -> Worker:
        return Worker(
            kind,
            database=self.platform.database,
            listener=self.platform.listener,
            settings=JobsSettings(poll_s=0.05, lease_s=lease_s, heartbeat_s=lease_s / 3),
            grace_s=0.1,
        )

    @asynccontextmanager
    async def working(self, kind: Job[Any], **options: Any) -> AsyncIterator[None]:
        stop = asyncio.Event()
        running = asyncio.create_task(self.worker(kind, **options).run(stop, lambda: None))
        try:
            yield
        finally:
            stop.set()
            await running

    async def settled(self, job_id: UUID, *, within_s: float = 60) -> JobRecord:
        """The job once an attempt at it has ended."""
        before = (await self.job(job_id)).retry_count

        async def is_settled() -> bool:
            job = await self.job(job_id)
            return job.status in ("done", "failed") or (job.status == "queued" and job.retry_count > before)

        await until(is_settled, within_s=within_s)
        return await self.job(job_id)

    async def run(self, payload: JobPayload, kind: Job[Any] | None = None) -> JobRecord:
        """Enqueued and worked on until an attempt has ended."""
        job_id = await self.enqueue(payload)
        async with self.working(kind or self.kind(payload.job_type)):
            return await self.settled(job_id)

    def kind(self, job_type: str) -> Job[Any]:
        make: Callable[[Platform], Job[Any]] = getattr(roles, job_type)
        return make(self.platform)

    async def keys(self, prefix: str) -> list[str]:
        return [stored.key async for stored in self.platform.objects.find(prefix)]


@pytest.fixture
async def use(fresh_database: DatabaseAddresses, tmp_path: Path) -> AsyncIterator[MediaInUse]:
    settings = Settings(
        state_dir=tmp_path / "state",
        database=DatabaseSettings(url=SecretStr(fresh_database.url), connect_timeout_s=5),
        objects=ObjectsSettings(minimum_free_bytes=0),
    )
    async with open_platform(settings, registry=create_registry()) as platform:
        stop, ready = asyncio.Event(), asyncio.Event()
        listening = asyncio.create_task(platform.listener.run(stop, ready.set))
        await asyncio.wait_for(ready.wait(), 10)
        yield MediaInUse(platform)
        stop.set()
        await listening


@pytest.fixture
async def client(use: MediaInUse) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(use.platform))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as made:
        yield made


def seconds(value: float) -> timedelta:
    return timedelta(seconds=value)
