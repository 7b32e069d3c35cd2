"""Objects are plain files: people may add, change and delete them by hand."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from conformance.objects import found, md5
from sightline.errors import BackendUnavailable, ConfigurationError, Conflict, InvalidInput, NotFound
from sightline.objects import DiskObjectStore
from sightline.objects.disk.metadata import ATTRIBUTE, AttributeMetadata, FileMetadata, MetadataStore
from sightline.objects.disk.sweep import MAX_RECORD_AGE_S, MAX_TEMPORARY_AGE_S
from support.objects_server import open_disk
from support.waiting import until

KEY = "videos/original/7f0c/master.mp4"


@pytest.fixture(params=["attributes", "files"])
def metadata(request: pytest.FixtureRequest, directory: Path) -> MetadataStore:
    if request.param == "attributes":
        return AttributeMetadata()
    (directory / ".sightline").mkdir(parents=True)
    return FileMetadata(directory / ".sightline" / "notes")


@pytest.fixture
async def objects(directory: Path, metadata: MetadataStore) -> AsyncIterator[DiskObjectStore]:
    async with open_disk(directory, metadata=metadata) as opened:
        yield opened.objects


def drop(directory: Path, key: str, content: bytes, *, age_s: float = 60) -> Path:
    """As a person would."""
    path = directory / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    moment = path.stat().st_mtime - age_s
    os.utime(path, (moment, moment))
    return path


def open_handles() -> list[str]:
    found = []
    for handle in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{handle}"))
    return found


async def test_a_file_added_by_hand_is_an_object(objects: DiskObjectStore, directory: Path):
    drop(directory, KEY, b"dropped")
    stored = await objects.head(KEY)
    assert stored is not None
    assert (stored.size, stored.etag, stored.content_type) == (7, md5(b"dropped"), "video/mp4")
    assert await objects.get(KEY) == b"dropped"
    assert [one.key for one in await found(objects, "videos/")] == [KEY]


async def test_a_file_added_by_hand_is_read_once_for_its_etag(
    objects: DiskObjectStore, metadata: MetadataStore, directory: Path
):
    """The second time it is not read at all, not even by another process."""
    path = drop(directory, KEY, b"dropped")
    first = await objects.head(KEY)
    before = path.stat()
    path.write_bytes(b"DROPPED")
    os.utime(path, ns=(before.st_mtime_ns, before.st_mtime_ns))  # as if nothing had happened
    async with open_disk(directory, metadata=metadata) as opened:
        assert await opened.objects.head(KEY) == first


async def test_a_file_changed_by_hand_is_described_as_it_is(objects: DiskObjectStore, directory: Path):
    await objects.put(KEY, b"stored", content_type="video/special")
    for content in (b"edited by hand", b"edited again!!"):
        (directory / KEY).write_bytes(content)
        stored = await objects.head(KEY)
        assert stored is not None
        assert (stored.etag, stored.size, stored.content_type) == (md5(content), len(content), "video/mp4")


async def test_metadata_of_a_file_changed_just_now_is_not_cached(objects: DiskObjectStore, directory: Path):
    """Two changes within one tick of the clock look the same from outside."""
    path = drop(directory, KEY, b"first", age_s=-60)
    moment = path.stat().st_mtime_ns
    assert (await objects.head(KEY)).etag == md5(b"first")  # type: ignore[union-attr]
    path.write_bytes(b"other")
    os.utime(path, ns=(moment, moment))
    assert (await objects.head(KEY)).etag == md5(b"other")  # type: ignore[union-attr]


async def test_an_object_is_a_plain_file_with_nothing_beside_it(objects: DiskObjectStore, directory: Path):
    await objects.put(KEY, b"stored")
    assert (directory / KEY).read_bytes() == b"stored"
    assert os.listdir((directory / KEY).parent) == ["master.mp4"]
    assert set(os.listdir(directory)) == {"videos", ".sightline"}


async def test_the_hidden_directory_is_in_no_list(objects: DiskObjectStore, directory: Path):
    await objects.create_upload(KEY)
    await objects.put("a", b"x")
    assert [one.key for one in await found(objects, "")] == ["a"]
    for prefix in (".", ".sightline", ".sightline/", ".sightline/uploads/", "../", "a/../"):
        assert await found(objects, prefix) == []


async def test_links_are_never_followed(objects: DiskObjectStore, directory: Path, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    (directory / "link").symlink_to(outside / "secret")
    (directory / "folder").symlink_to(outside)
    (directory / "own").symlink_to(directory / ".sightline")
    for key in ("link", "folder/secret", "own/uploads"):
        assert await objects.head(key) is None
        with pytest.raises(NotFound):
            await objects.get(key)
        with pytest.raises(NotFound):
            await objects.readable(key)
    assert await found(objects, "") == []
    assert await found(objects, "folder/") == []
    with pytest.raises(InvalidInput, match="symbolic link"):
        await objects.put("folder/new", b"x")
    assert [path.name for path in outside.iterdir()] == ["secret"]
    await objects.delete(["link", "folder/secret"])
    assert (outside / "secret").read_bytes() == b"secret"


async def test_storing_over_a_link_replaces_the_link(objects: DiskObjectStore, directory: Path, tmp_path: Path):
    (tmp_path / "outside").write_bytes(b"kept")
    (directory / "link").symlink_to(tmp_path / "outside")
    await objects.put("link", b"object")
    assert (tmp_path / "outside").read_bytes() == b"kept"
    assert await objects.get("link") == b"object"


async def test_a_key_below_an_object_is_refused_and_so_is_one_above(objects: DiskObjectStore):
    await objects.put("a/b", b"x")
    for key in ("a", "a/b/c", "a/b/c/d"):
        with pytest.raises(Conflict) as raised:
            await objects.put(key, b"y")
        assert raised.value.details["code"] == "KeyConflict"
    assert await objects.get("a/b") == b"x"


async def test_empty_directories_are_removed(objects: DiskObjectStore, directory: Path):
    await objects.put("a/b/c", b"x")
    await objects.put("a/d", b"x")
    await objects.delete(["a/b/c"])
    assert [path.name for path in (directory / "a").iterdir()] == ["d"]
    await objects.delete(["a/d"])
    assert not (directory / "a").exists()
    await objects.put("a", b"now it fits")


async def test_storing_and_deleting_in_parallel_do_not_disturb_each_other(objects: DiskObjectStore):
    async def come_and_go(name: str) -> None:
        for _ in range(25):
            await objects.put(f"same/folder/{name}", b"x")
            await objects.delete([f"same/folder/{name}"])

    await asyncio.gather(*(come_and_go(f"{number}") for number in range(8)))
    assert await found(objects, "") == []


async def test_metadata_does_not_pile_up(objects: DiskObjectStore, directory: Path):
    for number in range(5):
        await objects.put("a", b"%d" % number, content_type="x/y")
    await objects.put("b", b"x")
    await objects.delete(["b"])
    files = [path for path in (directory / ".sightline" / "notes").rglob("*") if path.is_file()]
    assert len(files) <= 1
    if not files:
        assert os.getxattr(directory / "a", ATTRIBUTE)


async def test_damaged_metadata_is_ignored(objects: DiskObjectStore, directory: Path):
    await objects.put("a", b"x")
    for path in (directory / ".sightline" / "notes").rglob("*-1-*"):
        path.write_bytes(b"{")
    os.setxattr(directory / "a", ATTRIBUTE, b"{")
    assert (await objects.head("a")).etag == md5(b"x")  # type: ignore[union-attr]


async def test_a_missing_directory_is_reported(objects: DiskObjectStore, directory: Path):
    shutil.rmtree(directory)
    with pytest.raises(BackendUnavailable):
        await objects.check()
    with pytest.raises(BackendUnavailable):
        await objects.put("a", b"x")


async def test_closing_does_not_wait_for_a_long_read(directory: Path):
    """Reading a file of a terabyte for its ETag would take an hour."""
    async with open_disk(directory) as opened:
        with (directory / "large.mp4").open("wb") as file:
            file.truncate(1024**4)
        reading = asyncio.create_task(opened.objects.head("large.mp4"))
        await until(lambda: any("large.mp4" in handle for handle in open_handles()))
    with pytest.raises(BackendUnavailable, match="being closed"):
        await reading


async def test_too_little_space_is_reported_before_the_bytes_arrive(directory: Path):
    async with open_disk(directory, minimum_free_bytes=1 << 62) as opened:
        with pytest.raises(BackendUnavailable, match="bytes are free"):
            await opened.objects.check()
        upload_id = await opened.objects.create_upload("a")
        with pytest.raises(BackendUnavailable, match="Not enough space: needs 1 B, 0 B free") as raised:
            await opened.objects.put_part("a", upload_id, 1, b"x")
        assert raised.value.details["code"] == "InsufficientStorage"


def test_a_directory_that_cannot_be_created_is_reported_at_start(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")

    async def announce(_: object) -> None: ...

    with pytest.raises(ConfigurationError, match="cannot create the objects directory"):
        DiskObjectStore(tmp_path / "file" / "objects", "b", key=None, public_url="x", announce=announce)  # type: ignore[arg-type]


async def test_old_leftovers_are_removed_and_young_ones_stay(objects: DiskObjectStore, directory: Path):
    hidden = directory / ".sightline"
    _, sweep = objects.maintenance()
    for folder, name, age_s in (
        ("temporary", "old", MAX_TEMPORARY_AGE_S + 60),
        ("temporary", "young", MAX_TEMPORARY_AGE_S - 60),
        ("finished", "old.json", MAX_RECORD_AGE_S + 60),
        ("finished", "young.json", MAX_RECORD_AGE_S - 60),
    ):
        drop(hidden, f"{folder}/{name}", b"x", age_s=age_s)
    (hidden / "temporary" / "old-folder" / "claims").mkdir(parents=True)
    os.utime(hidden / "temporary" / "old-folder", (0, 0))
    await sweep.sweep()
    assert [path.name for path in (hidden / "temporary").iterdir()] == ["young"]
    assert [path.name for path in (hidden / "finished").iterdir()] == ["young.json"]
