"""Parts on disk: written in position, sent again, sent concurrently, and completed in the meantime."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from conformance.objects_multipart import tags
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.objects import DiskObjectStore, StoredPart
from sightline.objects.disk.parts import JOURNAL
from support.objects_server import Served, open_disk

KEY = "a.mp4"


@pytest.fixture
async def opened(directory: Path) -> AsyncIterator[Served]:
    async with open_disk(directory, min_part_bytes=1) as opened:
        yield opened


@pytest.fixture
def objects(opened: Served) -> DiskObjectStore:
    return opened.objects


@pytest.fixture
async def upload_id(objects: DiskObjectStore) -> str:
    return await objects.create_upload(KEY)


@pytest.fixture
def folder(directory: Path, upload_id: str) -> Path:
    return directory / ".sightline" / "uploads" / upload_id


async def complete(objects: DiskObjectStore, upload_id: str, *parts: StoredPart) -> bytes:
    await objects.complete_upload(KEY, upload_id, tags(*parts))
    return await objects.get(KEY)


async def test_parts_of_one_length_are_not_copied_when_they_become_the_object(
    objects: DiskObjectStore, upload_id: str, folder: Path, directory: Path
):
    sent = [await objects.put_part(KEY, upload_id, number, bytes([number]) * 10) for number in (3, 1, 2)]
    sent.append(await objects.put_part(KEY, upload_id, 4, b"end"))
    inode = (folder / "data-10").stat().st_ino
    content = await complete(objects, upload_id, *sorted(sent, key=lambda part: part.number))
    assert content == b"\1" * 10 + b"\2" * 10 + b"\3" * 10 + b"end"
    assert (directory / KEY).stat().st_ino == inode
    assert upload_id not in os.listdir(directory / ".sightline" / "uploads")


async def test_the_shorter_last_part_may_arrive_first(
    objects: DiskObjectStore, upload_id: str, directory: Path, folder: Path
):
    last = await objects.put_part(KEY, upload_id, 3, b"end")
    first = await objects.put_part(KEY, upload_id, 1, b"1" * 10)
    second = await objects.put_part(KEY, upload_id, 2, b"2" * 10)
    assert {name for name in os.listdir(folder) if name.startswith("data-")} == {"data-3", "data-10"}
    inode = (folder / "data-10").stat().st_ino
    assert await complete(objects, upload_id, first, second, last) == b"1" * 10 + b"2" * 10 + b"end"
    assert (directory / KEY).stat().st_ino == inode


async def test_parts_of_all_lengths_make_the_right_bytes(objects: DiskObjectStore, upload_id: str):
    contents = [bytes([number]) * (number * 7 % 11 + 1) for number in range(1, 30)]
    parts = [await objects.put_part(KEY, upload_id, number, content) for number, content in enumerate(contents, 1)]
    assert await complete(objects, upload_id, *parts) == b"".join(contents)


async def test_a_part_sent_again_replaces_the_earlier_one_only_when_it_is_complete(
    objects: DiskObjectStore, upload_id: str
):
    first = await objects.put_part(KEY, upload_id, 1, b"first try!")
    with pytest.raises(InvalidInput, match="4 bytes arrived of the declared 10"):
        async with objects.receiver.part(KEY, upload_id, 1, length=10) as incoming:
            await incoming.write(b"half")
            await incoming.flush()
    assert await objects.list_parts(KEY, upload_id) == [first]
    second = await objects.put_part(KEY, upload_id, 1, b"second try")
    assert [one.etag for one in await objects.list_parts(KEY, upload_id)] == [second.etag]
    assert await complete(objects, upload_id, second) == b"second try"


async def test_more_bytes_than_declared_are_refused(objects: DiskObjectStore, upload_id: str):
    neighbour = await objects.put_part(KEY, upload_id, 2, b"n" * 10)
    with pytest.raises(InvalidInput, match="more than 10 bytes arrived"):
        async with objects.receiver.part(KEY, upload_id, 1, length=10) as incoming:
            await incoming.write(b"x" * 11)
    assert await objects.list_parts(KEY, upload_id) == [neighbour]


async def test_concurrent_uploads_of_one_part_never_mix(objects: DiskObjectStore, upload_id: str):
    async def put(letter: int) -> StoredPart:
        async with objects.receiver.part(KEY, upload_id, 1, length=3_000_000) as incoming:
            for _ in range(30):
                await incoming.write(bytes([letter]) * 100_000)
                await asyncio.sleep(0)
            await incoming.flush()
            return await incoming.commit()

    sent = await asyncio.gather(*(put(letter) for letter in range(65, 71)))
    (kept,) = await objects.list_parts(KEY, upload_id)
    assert kept.etag in {one.etag for one in sent}
    assert len(set(await complete(objects, upload_id, kept))) == 1


async def test_a_late_part_cannot_write_into_the_completed_object(objects: DiskObjectStore, upload_id: str):
    """Its first try hangs, its second one succeeds, the upload is completed: then the first one comes to life."""
    second = await objects.put_part(KEY, upload_id, 2, b"2" * 10)
    with pytest.raises(NotFound) as raised:
        async with objects.receiver.part(KEY, upload_id, 1, length=10) as straggler:
            await straggler.write(b"X" * 5)
            first = await objects.put_part(KEY, upload_id, 1, b"1" * 10)
            assert await complete(objects, upload_id, first, second) == b"1" * 10 + b"2" * 10
            await straggler.write(b"X" * 5)
            await straggler.flush()
            await straggler.commit()
    assert raised.value.code == "NO_SUCH_UPLOAD"
    assert await objects.get(KEY) == b"1" * 10 + b"2" * 10


async def test_a_part_that_starts_during_completion_cannot_change_the_object(
    objects: DiskObjectStore, upload_id: str, folder: Path
):
    """A writer that opens the file just before it becomes the object, and locks it just after, must notice."""
    part = await objects.put_part(KEY, upload_id, 1, b"1" * 10)
    outcomes: set[str] = set()

    async def straggle(number: int) -> None:
        try:
            await objects.put_part(KEY, upload_id, number, b"X" * 10)
            outcomes.add("in time")
        except NotFound:
            outcomes.add("too late")

    await asyncio.gather(
        *(straggle(number) for number in range(2, 40)), objects.complete_upload(KEY, upload_id, tags(part))
    )
    assert await objects.get(KEY) == b"1" * 10
    await straggle(2)
    assert "too late" in outcomes


async def test_aborting_in_the_middle_of_a_part_leaves_nothing(
    objects: DiskObjectStore, upload_id: str, directory: Path
):
    with pytest.raises(NotFound):
        async with objects.receiver.part(KEY, upload_id, 1, length=4) as incoming:
            await incoming.write(b"half")
            await objects.abort_upload(KEY, upload_id)
            await incoming.flush()
            await incoming.commit()
    hidden = directory / ".sightline"
    assert [path for path in hidden.rglob("*") if path.is_file()] == []


async def test_a_journal_line_cut_off_by_a_crash_spoils_no_other(
    objects: DiskObjectStore, upload_id: str, folder: Path
):
    first = await objects.put_part(KEY, upload_id, 1, b"1" * 10)
    with (folder / JOURNAL).open("ab") as journal:
        journal.write(b'\n[2,"abc",10,"data-1')
    second = await objects.put_part(KEY, upload_id, 2, b"2" * 10)
    assert [one.number for one in await objects.list_parts(KEY, upload_id)] == [1, 2]
    assert await complete(objects, upload_id, first, second) == b"1" * 10 + b"2" * 10


async def test_a_failed_completion_keeps_all_parts(
    objects: DiskObjectStore, opened: Served, upload_id: str, directory: Path
):
    parts = [await objects.put_part(KEY, upload_id, number, bytes([number]) * 10) for number in (1, 2, 3)]
    await objects.put(f"{KEY}/in-the-way", b"x")
    with pytest.raises(Conflict) as raised:
        await objects.complete_upload(KEY, upload_id, tags(*parts))
    assert raised.value.details["code"] == "KeyConflict"
    assert os.listdir(directory / ".sightline" / "announcements") == []
    await objects.delete([f"{KEY}/in-the-way"])
    assert await complete(objects, upload_id, parts[0], parts[2]) == b"\1" * 10 + b"\3" * 10
    assert len(opened.announced) == 1


async def test_concurrent_completions_and_an_abort_agree(objects: DiskObjectStore, opened: Served, upload_id: str):
    part = await objects.put_part(KEY, upload_id, 1, b"x")
    results = await asyncio.gather(
        *(objects.complete_upload(KEY, upload_id, tags(part)) for _ in range(10)),
        objects.abort_upload(KEY, upload_id),
        return_exceptions=True,
    )
    completed = [one for one in results[:-1] if not isinstance(one, BaseException)]
    assert results[-1] is None
    if completed:
        assert len(completed) == 10
        assert len(opened.announced) == 1
        assert await objects.get(KEY) == b"x"
    else:
        assert opened.announced == []
        assert await objects.head(KEY) is None


async def test_a_cancelled_request_leaves_nothing(objects: DiskObjectStore, upload_id: str, folder: Path):
    began = asyncio.Event()

    async def put() -> None:
        async with objects.receiver.part(KEY, upload_id, 1, length=50_000_000) as incoming:
            while True:
                await incoming.write(b"x" * 1_000_000)
                began.set()

    task = asyncio.create_task(put())
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list((folder / "claims").iterdir()) == []
    handles = [os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.exists()]  # noqa: ASYNC240
    assert not any(str(folder) in handle for handle in handles)


async def test_parts_up_to_number_ten_thousand_become_one_object(objects: DiskObjectStore, upload_id: str):
    every = 1 if os.environ.get("SIGHTLINETEST_SOAK") else 20
    numbers = range(every, 10_001, every)
    turn = asyncio.Semaphore(16)

    async def put(number: int) -> StoredPart:
        async with turn:
            return await objects.put_part(KEY, upload_id, number, b"%05d" % number)

    parts = await asyncio.gather(*(put(number) for number in numbers))
    with pytest.raises(InvalidInput):
        await objects.put_part(KEY, upload_id, 10_001, b"x")
    assert [part.number for part in await objects.list_parts(KEY, upload_id)] == list(numbers)
    stored = await objects.complete_upload(KEY, upload_id, tags(*parts))
    assert (stored.size, stored.etag.partition("-")[2]) == (5 * len(numbers), str(len(numbers)))
    assert await objects.get(KEY) == b"".join(b"%05d" % number for number in numbers)
