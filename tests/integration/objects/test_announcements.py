"""Every object that a client stored is announced, whatever happens in between; twice at worst."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from conformance.objects_multipart import tags
from sightline.contracts.storage_events import ObjectCreated
from sightline.errors import BackendUnavailable
from sightline.objects import DiskObjects, StoredObject
from sightline.objects.disk.announcements import AnnouncementUpkeep
from support.objects_server import Served, open_disk


class Listener:
    """Whoever is told; not always there."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []
        self.is_there = True

    async def announce(self, created: ObjectCreated) -> None:
        if not self.is_there:
            raise BackendUnavailable("database", "gone for lunch")
        self.heard.append((created.object.key, created.reason))


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
async def opened(directory: Path, listener: Listener) -> AsyncIterator[Served]:
    async with open_disk(directory, announce=listener.announce) as opened:
        yield opened


@pytest.fixture
def objects(opened: Served) -> DiskObjects:
    return opened.objects


@pytest.fixture
def pending(directory: Path) -> Path:
    return directory / ".sightline" / "announcements"


def upkeep(objects: DiskObjects, **options: float) -> AnnouncementUpkeep:
    announcements, _ = objects.upkeep()
    for name, value in ({"left_alone_s": 0.0} | options).items():
        setattr(announcements, f"_{name}", value)
    return announcements


async def send(objects: DiskObjects, key: str, content: bytes = b"x") -> StoredObject:
    async with objects.receiving.object(key, length=len(content)) as incoming:
        await incoming.take(content)
        await incoming.settle()
        return await incoming.keep()


async def test_an_object_is_stored_although_nobody_can_be_told_and_told_later(
    objects: DiskObjects, listener: Listener, pending: Path
):
    listener.is_there = False
    await send(objects, "a")
    upload_id = await objects.create_upload("b")
    part = await objects.put_part("b", upload_id, 1, b"x")
    assert (await objects.complete_upload("b", upload_id, tags(part))).size == 1
    assert len(os.listdir(pending)) == 2
    await upkeep(objects).look()
    assert (listener.heard, len(os.listdir(pending))) == ([], 2)
    listener.is_there = True
    await upkeep(objects).look()
    assert sorted(listener.heard) == [("a", "PutObject"), ("b", "CompleteMultipartUpload")]
    assert os.listdir(pending) == []
    await upkeep(objects).look()
    assert len(listener.heard) == 2


async def test_what_was_just_written_down_is_left_to_whoever_wrote_it(objects: DiskObjects, listener: Listener):
    listener.is_there = False
    await send(objects, "a")
    listener.is_there = True
    await upkeep(objects, left_alone_s=60.0).look()
    assert listener.heard == []


async def test_an_announcement_without_its_object_waits_and_is_dropped_in_the_end(
    objects: DiskObjects, listener: Listener, pending: Path
):
    """Somebody was killed before the object was there, or is about to put it there."""
    listener.is_there = False
    await send(objects, "gone")
    await send(objects, "replaced")
    await objects.delete(["gone"])
    await objects.put("replaced", b"by another")
    listener.is_there = True
    await upkeep(objects).look()
    assert len(os.listdir(pending)) == 2
    await upkeep(objects, given_up_after_s=0.0).look()
    assert os.listdir(pending) == []
    assert listener.heard == []


async def test_one_that_cannot_be_read_does_not_hold_up_the_others(
    objects: DiskObjects, listener: Listener, pending: Path
):
    listener.is_there = False
    await send(objects, "a")
    listener.is_there = True
    (pending / "000.json").write_text("{")
    await upkeep(objects).look()
    assert listener.heard == [("a", "PutObject")]
    assert os.listdir(pending) == ["000.json"]


async def test_many_untold_ones_are_counted(directory: Path, listener: Listener):
    registry = CollectorRegistry()
    listener.is_there = False
    async with open_disk(directory, announce=listener.announce) as opened:
        for number in range(3):
            await send(opened.objects, f"{number}")
        announcements, _ = opened.objects.upkeep(registry)
        await announcements.look()
    assert registry.get_sample_value("sightline_objects_unannounced") == 3
