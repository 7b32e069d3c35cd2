"""Crashes: no object is ever half written, no acknowledged part is lost, and every object is announced."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from sightline.objects import PartTag
from support import TESTS
from support.emulators import free_port
from support.objects_server import open_disk, server_process
from support.s3_signing import address
from support.waiting import until


@pytest.fixture(scope="module")
def after_kills(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The results of `crash_points` for each case."""
    command = [sys.executable, "-m", "support.crash_points", str(tmp_path_factory.mktemp("crashes"))]
    response = subprocess.run(command, capture_output=True, text=True, check=False, cwd=TESTS)
    assert response.returncode == 0, response.stderr[-3000:]
    found: dict[str, dict[str, Any]] = json.loads(response.stdout.splitlines()[-1])
    return found


@pytest.mark.req(302, 303)
@pytest.mark.parametrize(
    ("case", "outcomes"),
    [("complete", {"old", "new"}), ("part", {"none", "first", "second"}), ("whole", {"old", "new"})],
)
def test_after_a_kill_before_any_step_the_request_can_be_repeated(
    case: str, outcomes: set[str], after_kills: dict[str, dict[str, Any]]
):
    """`crash_points` checks after each step; an upload stays completable until it is complete."""
    found = after_kills[case]
    assert found["steps"] > 10
    assert set(found["seen"]) == outcomes


async def test_a_server_killed_during_a_part_has_the_other_parts_after_a_restart(directory: Path):
    port = free_port()
    base = f"http://127.0.0.1:{port}/objects"
    first, second = b"1" * 6_000_000, b"2" * 6_000_000
    async with open_disk(directory) as opened:
        upload_id = await opened.objects.create_upload("a.mp4")
    data = directory / ".sightline" / "uploads" / upload_id / "data-6000000"
    async with server_process(directory, port) as process, httpx.AsyncClient(timeout=None, verify=False) as client:
        sent = await client.put(address(base, "PUT", "a.mp4", uploadId=upload_id, partNumber="1"), content=first)
        where = urlsplit(address(base, "PUT", "a.mp4", uploadId=upload_id, partNumber="2"))
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        head = (
            f"PUT {where.path}?{where.query} HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Length: {len(second)}\r\n\r\n"
        )
        writer.write(head.encode() + second[:4_000_000])
        await until(lambda: data.stat().st_size > 7_000_000)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        writer.close()
    async with server_process(directory, port), httpx.AsyncClient(timeout=None, verify=False) as client:
        listed = await client.get(address(base, "GET", "a.mp4", uploadId=upload_id))
        assert listed.text.count("<Part>") == 1
        again = await client.put(address(base, "PUT", "a.mp4", uploadId=upload_id, partNumber="2"), content=second)
    async with open_disk(directory) as opened:
        tags = [PartTag(1, sent.headers["etag"]), PartTag(2, again.headers["etag"])]
        stored = await opened.objects.complete_upload("a.mp4", upload_id, tags)
        assert stored.size == len(first) + len(second)
        assert await opened.objects.get("a.mp4") == first + second
