"""The object store suite: what every backend has to do. The test module of a backend provides the backend."""

import hashlib
import random
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

import httpx
import pytest

from sightline.errors import InvalidInput, NotFound
from sightline.objects import MIN_PART_BYTES, ObjectStore, StoredObject

MIB = 1024 * 1024
ODD_KEYS = (
    "with space.txt",
    "plus+and%25.txt",
    "q?a=b&c#d.txt",
    "ünïcødé/日本.jpg",
    "'quotes\".txt",
    "*~!@$()[]{};,.txt",
)
TYPES = {
    "index.m3u8": "application/vnd.apple.mpegurl",
    "segment_000.ts": "video/mp2t",
    "poster.JPG": "image/jpeg",
    "job.json": "application/json",
    "m.mov": "video/quicktime",
    "m.avi": "video/x-msvideo",
    "m.mkv": "video/x-matroska",
    "m.webm": "video/webm",
    "noending": "application/octet-stream",
}
RANGES: tuple[tuple[int, int | None, bytes], ...] = (
    *((0, 3, b"012"), (3, None, b"3456789"), (3, 5, b"34"), (8, 100, b"89")),
    *((10, None, b""), (50, 60, b""), (4, 4, b"")),
)
BAD_KEYS = (
    *("", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "a/./b", "a/..", "nul\0", "x" * 1025, "é" * 600),
    *(".sightline/uploads/x", ".SIGHTLINE/x", "long/" + "y" * 256, "surrogate\udcff"),
)


class Backend(Protocol):
    """What a backend's test module provides."""

    def open(self, *, is_served: bool) -> AbstractAsyncContextManager[ObjectStore]:
        """With `is_served`, signed URLs can be requested."""


class Suite:
    """The test module of a backend has the fixtures `backend` and `exceptions`: names of tests to skip, with reasons."""

    is_served = False
    part = MIN_PART_BYTES
    """The minimum size of a part that is not the last; a test module may lower it for its backends."""

    @pytest.fixture(autouse=True)
    def _skip_known_deviations(self, request: pytest.FixtureRequest, exceptions: Mapping[str, str]) -> None:
        if reason := exceptions.get(request.node.originalname):
            pytest.skip(reason)

    @pytest.fixture
    async def objects(self, backend: Backend) -> AsyncIterator[ObjectStore]:
        async with backend.open(is_served=self.is_served) as opened:
            yield opened

    @pytest.fixture
    def prefix(self) -> str:
        """A prefix for this test only, since emulators keep what other tests stored."""
        return f"t-{secrets.token_hex(6)}"


def md5(content: bytes) -> str:
    return hashlib.md5(content).hexdigest()


def some_bytes(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


async def found(objects: ObjectStore, prefix: str) -> list[StoredObject]:
    return [one async for one in objects.find(prefix)]


async def read(address: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=None, verify=False) as client:
        return await client.get(address, headers=headers)


class WholeObjectSuite(Suite):
    async def test_a_stored_object_is_complete_and_described(self, objects: ObjectStore, prefix: str):
        stored = await objects.put(f"{prefix}/a.mp4", b"bytes")
        seen = await objects.head(f"{prefix}/a.mp4")
        assert seen is not None
        for one in (stored, seen):
            assert (one.key, one.size, one.etag) == (f"{prefix}/a.mp4", 5, md5(b"bytes"))
            assert one.content_type == "video/mp4"
            assert one.modified_at.tzinfo is not None
        assert await objects.get(f"{prefix}/a.mp4") == b"bytes"

    async def test_the_extension_of_a_key_sets_the_content_type(self, objects: ObjectStore, prefix: str):
        for name, content_type in TYPES.items():
            await objects.put(f"{prefix}/{name}", b"x")
            seen = await objects.head(f"{prefix}/{name}")
            assert seen is not None
            assert (name, seen.content_type) == (name, content_type)

    async def test_a_given_content_type_overrides_the_extension(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a.mp4", b"x", content_type="video/x-special")
        seen = await objects.head(f"{prefix}/a.mp4")
        assert seen is not None
        assert seen.content_type == "video/x-special"

    async def test_storing_again_replaces(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a", b"first", content_type="text/one")
        await objects.put(f"{prefix}/a", b"second!", content_type="text/two")
        seen = await objects.head(f"{prefix}/a")
        assert seen is not None
        assert (seen.size, seen.etag, seen.content_type) == (7, md5(b"second!"), "text/two")
        assert await objects.get(f"{prefix}/a") == b"second!"
        assert len(await found(objects, prefix)) == 1

    async def test_an_empty_object_is_an_object(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/empty", b"")
        seen = await objects.head(f"{prefix}/empty")
        assert seen is not None
        assert (seen.size, seen.etag) == (0, md5(b""))
        assert await objects.get(f"{prefix}/empty") == b""
        assert await objects.get(f"{prefix}/empty", start=5) == b""

    async def test_any_range_can_be_read(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a", b"0123456789")
        for start, end, expected in RANGES:
            assert await objects.get(f"{prefix}/a", start=start, end=end) == expected, (start, end)

    async def test_a_large_object_is_read_in_chunks(self, objects: ObjectStore, prefix: str):
        content = some_bytes(3 * MIB + 7)
        await objects.put(f"{prefix}/a", content)
        pieces = [piece async for piece in objects.stream(f"{prefix}/a", start=5, end=3 * MIB)]
        assert len(pieces) > 1
        assert b"".join(pieces) == content[5 : 3 * MIB]

    async def test_a_missing_object_is_not_found(self, objects: ObjectStore, prefix: str):
        assert await objects.head(f"{prefix}/nothing") is None
        for stretch in ({}, {"start": 3, "end": 3}):
            with pytest.raises(NotFound) as translate_os_errors:
                await objects.get(f"{prefix}/nothing", **stretch)
            assert translate_os_errors.value.code == "NO_SUCH_KEY"
        with pytest.raises(NotFound):
            async with objects.local(f"{prefix}/nothing"):
                pass

    async def test_objects_are_found_by_prefix_in_the_order_of_their_keys(self, objects: ObjectStore, prefix: str):
        names = ["b/2.txt", "b/10.txt", "b-1.txt", "a.txt", "b.txt", "b/c/d.txt", "b0.txt", "é.txt", "z.txt"]
        for name in names:
            await objects.put(f"{prefix}/{name}", name.encode())
        everything = await found(objects, f"{prefix}/")
        assert [one.key for one in everything] == sorted((f"{prefix}/{name}" for name in names), key=str.encode)
        assert {one.key: one.etag for one in everything} == {f"{prefix}/{name}": md5(name.encode()) for name in names}
        assert [one.key for one in await found(objects, f"{prefix}/b/")] == [
            f"{prefix}/{name}" for name in ("b/10.txt", "b/2.txt", "b/c/d.txt")
        ]
        assert [one.key for one in await found(objects, f"{prefix}/b/1")] == [f"{prefix}/b/10.txt"]
        assert await found(objects, f"{prefix}/nothing") == []

    async def test_keys_may_contain_unusual_characters(self, objects: ObjectStore, prefix: str):
        for name in ODD_KEYS:
            await objects.put(f"{prefix}/{name}", name.encode())
        assert {one.key for one in await found(objects, prefix)} == {f"{prefix}/{name}" for name in ODD_KEYS}
        for name in ODD_KEYS:
            assert await objects.get(f"{prefix}/{name}") == name.encode()
        await objects.delete([f"{prefix}/{name}" for name in ODD_KEYS])
        assert await found(objects, prefix) == []

    async def test_a_key_that_could_lead_elsewhere_is_refused(self, objects: ObjectStore):
        for key in BAD_KEYS:
            for call in (
                objects.put(key, b"x"),
                objects.head(key),
                objects.get(key),
                objects.delete([key]),
                objects.create_upload(key),
                objects.sign_get(key, expires_s=60),
                objects.sign_part(key, "0" * 32, 1, expires_s=60),
            ):
                with pytest.raises(InvalidInput):
                    await call

    async def test_deleted_objects_are_gone_and_missing_ones_are_ignored(self, objects: ObjectStore, prefix: str):
        for name in ("a", "b", "c"):
            await objects.put(f"{prefix}/{name}", b"x")
        await objects.delete([f"{prefix}/a", f"{prefix}/nothing", f"{prefix}/b"])
        await objects.delete([f"{prefix}/a"])
        await objects.delete([])
        assert [one.key for one in await found(objects, prefix)] == [f"{prefix}/c"]

    async def test_everything_below_a_prefix_can_be_deleted(self, objects: ObjectStore, prefix: str):
        for name in ("frames/1.jpg", "frames/2.jpg", "frames/deep/3.jpg", "framesets/4.jpg"):
            await objects.put(f"{prefix}/{name}", b"x")
        assert await objects.delete_prefix(f"{prefix}/frames/") == 3
        assert await objects.delete_prefix(f"{prefix}/frames/") == 0
        assert [one.key for one in await found(objects, prefix)] == [f"{prefix}/framesets/4.jpg"]
        with pytest.raises(InvalidInput):
            await objects.delete_prefix("")

    @pytest.mark.parametrize("size", [0, 100, 17 * MIB])
    async def test_a_file_can_be_stored(self, objects: ObjectStore, prefix: str, tmp_path: Path, size: int):
        source = tmp_path / "source.bin"
        source.write_bytes(some_bytes(size))
        stored = await objects.put_file(f"{prefix}/a.ts", source, content_type="video/special")
        assert (stored.size, stored.content_type) == (size, "video/special")
        assert stored.etag.partition("-")[0]
        async with objects.local(f"{prefix}/a.ts") as path:
            assert path.read_bytes() == source.read_bytes()
            assert path.name == "a.ts"
        assert source.stat().st_size == size

    @pytest.mark.req(291)
    async def test_programs_can_read_any_range_without_a_copy(self, objects: ObjectStore, prefix: str):
        await objects.put(f"{prefix}/a.mp4", b"0123456789")
        where = await objects.readable(f"{prefix}/a.mp4")
        if where.startswith("http"):
            response = await read(where, range="bytes=3-5")
            assert (response.status_code, response.content) == (206, b"345")
        else:
            assert Path(where).read_bytes()[3:6] == b"345"  # noqa: ASYNC240 - ten bytes

    async def test_a_usable_backend_passes_its_check(self, objects: ObjectStore):
        await objects.check()
