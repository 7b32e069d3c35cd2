"""Every object that a client stored is announced, whatever happens in between; at worst twice."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from conformance.objects_multipart import tags
from sightline.contracts.storage_events import ObjectCreated
from sightline.errors import BackendUnavailable
from sightline.objects import DiskObjectStore, StoredObject
from sightline.objects.disk.announcements import AnnouncementRetry
from support.objects_server import Served, open_disk


class Listener:
    """Receives announcements, unless it is away."""

    def __init__(self) -> None:
        self.received: list[tuple[str, str]] = []
        self.is_there = True

    async def announce(self, created: ObjectCreated) -> None:
        if not self.is_there:
            raise BackendUnavailable("database", "gone for lunch")
        self.received.append((created.object.key, created.reason))


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
async def opened(directory: Path, listener: Listener) -> AsyncIterator[Served]:
    async with open_disk(directory, announce=listener.announce) as opened:
        yield opened


@pytest.fixture
def objects(opened: Served) -> DiskObjectStore:
    return opened.objects


@pytest.fixture
def pending(directory: Path) -> Path:
    return directory / ".sightline" / "announcements"


def retry(objects: DiskObjectStore, **options: float) -> AnnouncementRetry:
    announcements, _ = objects.maintenance()
    for name, value in ({"retry_after_s": 0.0} | options).items():
        setattr(announcements, f"_{name}", value)
    return announcements


async def send(objects: DiskObjectStore, key: str, content: bytes = b"x") -> StoredObject:
    async with objects.receiver.object(key, length=len(content)) as incoming:
        await incoming.write(content)
        await incoming.flush()
        return await incoming.commit()


async def test_an_object_that_cannot_be_announced_is_stored_and_announced_later(
    objects: DiskObjectStore, listener: Listener, pending: Path
):
    listener.is_there = False
    await send(objects, "a")
    upload_id = await objects.create_upload("b")
    part = await objects.put_part("b", upload_id, 1, b"x")
    assert (await objects.complete_upload("b", upload_id, tags(part))).size == 1
    assert len(os.listdir(pending)) == 2
    await retry(objects).retry()
    assert (listener.received, len(os.listdir(pending))) == ([], 2)
    listener.is_there = True
    await retry(objects).retry()
    assert sorted(listener.received) == [("a", "PutObject"), ("b", "CompleteMultipartUpload")]
    assert os.listdir(pending) == []
    await retry(objects).retry()
    assert len(listener.received) == 2


async def test_a_fresh_announcement_is_left_to_the_process_that_stored_it(objects: DiskObjectStore, listener: Listener):
    listener.is_there = False
    await send(objects, "a")
    listener.is_there = True
    await retry(objects, retry_after_s=60.0).retry()
    assert listener.received == []


async def test_an_announcement_without_its_object_waits_and_is_finally_dropped(
    objects: DiskObjectStore, listener: Listener, pending: Path
):
    """A process was killed before it stored the object, or is about to store it."""
    listener.is_there = False
    await send(objects, "gone")
    await send(objects, "replaced")
    await objects.delete(["gone"])
    await objects.put("replaced", b"by another")
    listener.is_there = True
    await retry(objects).retry()
    assert len(os.listdir(pending)) == 2
    await retry(objects, drop_after_s=0.0).retry()
    assert os.listdir(pending) == []
    assert listener.received == []


async def test_an_unreadable_announcement_does_not_hold_up_the_others(
    objects: DiskObjectStore, listener: Listener, pending: Path
):
    listener.is_there = False
    await send(objects, "a")
    listener.is_there = True
    (pending / "000.json").write_text("{")
    await retry(objects).retry()
    assert listener.received == [("a", "PutObject")]
    assert os.listdir(pending) == ["000.json"]


async def test_unsent_announcements_are_counted(directory: Path, listener: Listener):
    registry = CollectorRegistry()
    listener.is_there = False
    async with open_disk(directory, announce=listener.announce) as opened:
        for number in range(3):
            await send(opened.objects, f"{number}")
        announcements, _ = opened.objects.maintenance(registry)
        await announcements.retry()
    assert registry.get_sample_value("sightline_objects_unannounced") == 3
