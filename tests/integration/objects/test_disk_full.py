"""A full disk is reported as such, and keeps what was stored before."""

import os
import resource
from pathlib import Path

import httpx
import pytest

from conformance.objects_multipart import tags
from sightline.objects import StorageFull
from support.emulators import free_port
from support.objects_server import open_disk, server_process
from support.s3_signing import address, code_of
from support.small_disk import small_disk

MIB = 1024 * 1024


async def test_a_disk_that_fills_up_keeps_the_parts_it_has(tmp_path: Path):
    with small_disk(tmp_path / "disk", 14):
        async with open_disk(tmp_path / "disk" / "objects") as opened:
            objects = opened.objects
            await objects.put("kept", b"kept")
            upload_id = await objects.create_upload("a.mp4")
            first = await objects.put_part("a.mp4", upload_id, 1, b"1" * (6 * MIB))
            second = await objects.put_part("a.mp4", upload_id, 2, b"2" * (5 * MIB))
            with pytest.raises(StorageFull, match="Not enough space: needs 6.3 MB, "):
                await objects.put_part("a.mp4", upload_id, 3, b"3" * (6 * MIB))
            with pytest.raises(StorageFull, match="cannot write b: no space left on device"):
                await objects.put("b", b"x" * (6 * MIB))
            assert [part.number for part in await objects.list_parts("a.mp4", upload_id)] == [1, 2]
            assert await objects.head("b") is None
            # There is room for one copy only, and none is made.
            stored = await objects.complete_upload("a.mp4", upload_id, tags(first, second))
            assert stored.size == 11 * MIB
            assert await objects.get("kept") == b"kept"
            await objects.put("after", b"small things still fit")


async def test_a_disk_that_fills_up_while_a_completion_copies_keeps_the_upload(tmp_path: Path):
    with small_disk(tmp_path / "disk", 20):
        async with open_disk(tmp_path / "disk" / "objects", min_part_bytes=1) as opened:
            objects = opened.objects
            upload_id = await objects.create_upload("a.mp4")
            # Lengths that fit no plan: everything has to be copied.
            parts = [await objects.put_part("a.mp4", upload_id, n, bytes([n]) * (n * 2 * MIB)) for n in (1, 2, 3)]
            with pytest.raises(StorageFull):
                await objects.complete_upload("a.mp4", upload_id, tags(*parts))
            assert await objects.list_parts("a.mp4", upload_id) == parts
            assert await objects.head("a.mp4") is None
            assert opened.announced == []
            stored = await objects.complete_upload("a.mp4", upload_id, tags(parts[0]))
            assert stored.size == 2 * MIB


async def test_a_client_gets_507_when_the_disk_is_full(directory: Path):
    """By a server that may write files of eight megabytes and no more."""
    port = free_port()
    base = f"http://127.0.0.1:{port}/objects"
    async with open_disk(directory) as opened:
        upload_id = await opened.objects.create_upload("a.mp4")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8 * MIB, 8 * MIB))

    async with server_process(directory, port, before=limit), httpx.AsyncClient(timeout=None, verify=False) as client:
        first = address(base, "PUT", "a.mp4", uploadId=upload_id, partNumber="1")
        second = address(base, "PUT", "a.mp4", uploadId=upload_id, partNumber="2")
        assert (await client.put(first, content=b"1" * (5 * MIB))).status_code == 200
        for _ in range(2):
            response = await client.put(second, content=b"2" * (5 * MIB))
            assert (response.status_code, code_of(response)) == (507, "InsufficientStorage")
            assert "part 2 of a.mp4: file too large" in response.text
        whole = await client.put(address(base, "PUT", "b.mp4"), content=b"3" * (9 * MIB))
        assert (whole.status_code, code_of(whole)) == (507, "InsufficientStorage")
        small = await client.put(second, content=b"end")
        assert small.status_code == 200
    async with open_disk(directory) as opened:
        parts = await opened.objects.list_parts("a.mp4", upload_id)
        assert [part.size for part in parts] == [5 * MIB, 3]
        await opened.objects.complete_upload("a.mp4", upload_id, tags(*parts))
        assert await opened.objects.get("a.mp4", start=5 * MIB - 1) == b"1end"
        assert await opened.objects.head("b.mp4") is None
    assert os.listdir(directory / ".sightline" / "temporary") == []
