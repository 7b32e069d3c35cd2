"""Fixtures for tests of uploads: files of a few bytes that are split into parts. A pytest plug-in."""

import asyncio
import hashlib
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest

from sightline import queue_consumers
from sightline.bootstrap import Platform
from sightline.bus import SPLIT_QUEUE, BusEvent, ConsumerOptions
from sightline.client import upload_client
from sightline.contracts.storage_events import OBJECT_CREATED, STORAGE_SOURCE, object_created
from sightline.objects import PartTag, original_key
from sightline.timing import Backoff, utc_now
from sightline.uploads import AbandonedUploads
from sightline.uploads import plan as plan_module
from support.waiting import until

PART = 10
CONTENT = bytes(range(65, 65 + 25))  # three parts of 10, 10 and 5
IDLE = timedelta(hours=24)


def make_parts_small(monkeypatch, platform: Platform) -> None:
    """Parts of ten bytes in the plan and in the store, so that tests need not send gigabytes."""
    monkeypatch.setattr(plan_module, "USUAL_PART_BYTES", PART)
    monkeypatch.setattr(plan_module, "MIN_PART_BYTES", 1)
    monkeypatch.setattr(upload_client, "PART_BYTES", PART)
    disk = platform.open_objects.disk
    assert disk is not None
    monkeypatch.setattr(disk._assembly, "_min_part_bytes", 1)


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


@dataclass
class Uploading:
    """An upload in progress; parts are put directly into the store."""

    client: httpx.AsyncClient
    platform: Platform
    content: bytes
    video_id: str
    upload_id: str
    total_parts: int

    @classmethod
    async def start(
        cls, client: httpx.AsyncClient, platform: Platform, content: bytes, name: str = "talk.mp4", **more
    ) -> "Uploading":
        body = {"totalSize": len(content), "duration": 1000, "filename": name, "extension": name.rpartition(".")[2]}
        response = await client.post("/videos", json=body | more)
        assert response.status_code == 201, response.text
        found = response.json()
        return cls(client, platform, content, found["videoId"], found["uploadId"], found["totalParts"])

    @property
    def key(self) -> str:
        return original_key(self.video_id)  # type: ignore[arg-type]

    def part(self, number: int) -> bytes:
        return self.content[(number - 1) * PART : number * PART]

    async def put(self, *numbers: int, content: bytes | None = None) -> None:
        for number in numbers:
            await self.platform.objects.put_part(self.key, self.upload_id, number, content or self.part(number))

    async def report(self, number: int, etag: str | None = None) -> httpx.Response:
        body = {"etag": etag or f'"{md5(self.part(number))}"'}
        return await self.client.post(f"/videos/{self.video_id}/parts/{number}", json=body)

    async def send(self, *numbers: int) -> None:
        """PUTs the part and reports it, as a client does."""
        for number in numbers or range(1, self.total_parts + 1):
            await self.put(number)
            assert (await self.report(number)).status_code == 200

    async def urls(self, **query) -> httpx.Response:
        return await self.client.get(f"/videos/{self.video_id}/upload-urls", params=query)

    async def progress(self) -> dict[str, Any]:
        response = await self.client.get(f"/videos/{self.video_id}/progress")
        assert response.status_code == 200, response.text
        return response.json()

    async def complete(self, body: dict[str, Any] | None = None) -> httpx.Response:
        return await self.client.post(f"/videos/{self.video_id}/complete", json=body)

    async def status(self) -> str:
        return (await self.client.get(f"/videos/{self.video_id}")).json()["status"]

    async def store_completes(self, *numbers: int) -> None:
        """Completes the upload in the store without a call to the API."""
        tags = [PartTag(number, md5(self.part(number))) for number in numbers or range(1, self.total_parts + 1)]
        await self.platform.objects.complete_upload(self.key, self.upload_id, tags)


@pytest.fixture
def start(client, platform, monkeypatch):
    make_parts_small(monkeypatch, platform)

    async def start_upload(content=CONTENT, **more):
        return await Uploading.start(client, platform, content, **more)

    return start_upload


@pytest.fixture
def consuming(platform):
    """`async with consuming("storage_events")` runs those consumers of the platform."""

    @asynccontextmanager
    async def run(*names):
        stop = asyncio.Event()
        consumers = [getattr(queue_consumers, name)(platform) for name in names]
        for one in consumers:
            one._options = ConsumerOptions(wait_s=1.0, backoff=Backoff(first_s=0.01, max_s=0.02))
        tasks = [asyncio.create_task(one.run(stop, lambda: None)) for one in consumers]
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(*tasks)

    return run


async def splits(platform):
    return await platform.bus.receive(SPLIT_QUEUE, limit=10, wait_s=0)


async def depth_of(platform, queue):
    return next(one for one in await platform.bus.counts() if one.queue == queue)


async def announce(platform, key, *, size=25, etag="x", reason="CompleteMultipartUpload", bucket=None):
    created = object_created(bucket or platform.objects.bucket, key, size=size, etag=etag, reason=reason)
    async with platform.database.transaction() as tx:
        await platform.bus.put_events(tx, BusEvent(STORAGE_SOURCE, OBJECT_CREATED, created.to_detail()))


def until_status(upload, status):
    async def is_there():
        return await upload.status() == status

    return until(is_there)


def age(platform, key, seconds):
    """Sets the modification time of the file back."""
    path = platform.open_objects.disk.layout.path_of(key)
    moment = utc_now().timestamp() - seconds
    os.utime(path, (moment, moment))


def abandoned(platform):
    return AbandonedUploads(
        platform.database,
        platform.objects,
        platform.videos,
        platform.completion,
        idle=IDLE,
        complete_after=timedelta(minutes=10),
    )


async def grow_old(platform, hours=25):
    async with platform.database.transaction() as tx:
        for change in ("uploads SET touched_at = touched_at", "upload_parts SET uploaded_at = uploaded_at"):
            await tx.execute(f"UPDATE {change} - make_interval(hours => $1)", hours)


async def is_empty(platform, queue):
    found = await depth_of(platform, queue)
    return not (found.visible or found.in_flight or found.delayed)
