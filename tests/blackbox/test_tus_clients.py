"""tus clients that people use, unchanged: tus-js-client and tuspy, over a cable that is cut, and to a server that is killed."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from tusclient.client import TusClient
from tusclient.uploader.uploader import Uploader

from support.cable import Cable
from support.node import NODE, WEB
from support.platform_process import Up, kill, up
from support.waiting import soon, until

MIB = 1024 * 1024
CONTENT = random.Random(11).randbytes(19 * MIB + 321)


@pytest.fixture
async def cable() -> AsyncIterator[Cable]:
    async with Cable().laid() as laid:
        yield laid


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "talk.mp4"
    made.write_bytes(CONTENT)
    return made


def connect(cable: Cable, running: Up) -> None:
    cable.leads_to = int(running.address.rpartition(":")[2])


def original(state: Path, url: str) -> bytes:
    return (state / "objects" / "videos" / "original" / url.rpartition("/")[2] / "master.mp4").read_bytes()


async def history(running: Up, url: str) -> list[str]:
    async with httpx.AsyncClient(timeout=None) as client:
        found = (await client.get(f"{running.address}/videos/{url.rpartition('/')[2]}")).json()
    return [move["status"] for move in found["history"]][:3]


async def upload_by_node(cable: Cable, file: Path, *more: str) -> dict[str, object]:
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), str(WEB / "testing" / "tus" / "upload.mjs"), f"{cable.address}/files/", str(file), *more),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await soon(process.communicate())
    assert process.returncode == 0, err.decode()[-3000:]
    found: dict[str, object] = json.loads(out)
    return found


async def in_thread(work: Callable[[], object]) -> None:
    await asyncio.to_thread(work)


async def python_uploader(cable: Cable, file: Path, *, url: str | None = None) -> Uploader:
    """In a thread, because it asks the server for the offset."""
    client = TusClient(f"{cable.address}/files/")
    stream = BytesIO(CONTENT)  # a file that it opens itself stays open
    options = {"chunk_size": 3 * MIB, "metadata": {"filename": file.name}, "upload_checksum": True, "url": url}
    return await asyncio.to_thread(client.uploader, file_stream=stream, **options)


@pytest.mark.req(434, 435, 439)
async def test_tus_js_client_resumes_after_its_connection_was_cut_and_sends_in_parallel(
    tmp_path: Path, file: Path, cable: Cable
):
    state = tmp_path / "state"
    async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as running:
        connect(cable, running)
        cable.break_after(9 * MIB)
        seen = await upload_by_node(cable, file)
        assert cable.is_broken
        assert seen["retries"]
        assert original(state, str(seen["url"])) == CONTENT
        assert await history(running, str(seen["url"])) == ["CREATED", "UPLOADING", "UPLOADED"]
        cable.mend()
        joined = await upload_by_node(cable, file, "3")
        assert original(state, str(joined["url"])) == CONTENT


@pytest.mark.req(434, 435, 437)
async def test_tuspy_goes_on_at_the_byte_that_was_durable_when_the_server_was_killed(
    tmp_path: Path, file: Path, cable: Cable
):
    state = tmp_path / "state"
    async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as first:
        connect(cable, first)
        uploader = await python_uploader(cable, file)
        await in_thread(lambda: [uploader.upload_chunk() for _ in range(4)])
        answered, url = uploader.offset, uploader.url
        assert (answered, url is not None) == (12 * MIB, True)
        kill(first.tree())
    async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as second:
        connect(cable, second)
        async with httpx.AsyncClient(timeout=None) as client:
            (listed,) = (await client.get(f"{second.address}/uploads")).json()["uploads"]
        assert (listed["videoId"], listed["totalSize"]) == (str(url).rpartition("/")[2], len(CONTENT))
        resumed = await python_uploader(cable, file, url=url)
        assert resumed.offset == answered
        await in_thread(resumed.upload)
        assert original(state, str(url)) == CONTENT
        assert await history(second, str(url)) == ["CREATED", "UPLOADING", "UPLOADED"]


@pytest.mark.req(435)
async def test_what_arrived_before_a_kill_in_the_middle_of_a_request_is_not_sent_again(
    tmp_path: Path, file: Path, cable: Cable
):
    state = tmp_path / "state"
    headers = {"Tus-Resumable": "1.0.0"}
    async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as first:
        connect(cable, first)
        uploader = await python_uploader(cable, file)
        await in_thread(lambda: uploader.set_url(uploader.create_url()))
        sending = asyncio.create_task(_send_slowly(str(uploader.url), 17 * MIB))
        async with httpx.AsyncClient(timeout=None) as client:
            progress = f"{first.address}/videos/{str(uploader.url).rpartition('/')[2]}/progress"

            async def has_two_parts() -> bool:
                return bool((await client.get(progress)).json()["uploadedParts"] == 2)

            await until(has_two_parts)
        kill(first.tree())
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as second:
        connect(cable, second)
        async with httpx.AsyncClient(timeout=None) as client:
            head = await client.head(str(uploader.url), headers=headers)
        assert head.headers["upload-offset"] == str(16 * MIB)
        resumed = await python_uploader(cable, file, url=uploader.url)
        await in_thread(resumed.upload)
        assert original(state, str(uploader.url)) == CONTENT


async def _send_slowly(url: str, size: int) -> None:
    """A request that sends this many bytes, and then nothing more."""

    async def body() -> AsyncIterator[bytes]:
        for start in range(0, size, MIB):
            yield CONTENT[start : start + MIB]
        await asyncio.Event().wait()

    headers = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    async with httpx.AsyncClient(timeout=None) as client:
        await client.patch(url, headers=headers, content=body())
