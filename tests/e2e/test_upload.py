"""`sightline upload` as a person uses it, while things are killed."""

import asyncio
import filecmp
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from support.cable import Cable
from support.platform_process import Up, ask, kill, sightline, up
from support.waiting import soon, until

MIB = 1024 * 1024
SIZE = 2 * 8 * MIB + 5 * MIB  # three parts
PART_2 = r"PUT /objects/.*[?&]partNumber=2&"
COMPLETION = r"POST /videos/.*/complete"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film of 21 MiB.mp4"
    head = b"\0\0\0\x20ftypisom"  # as an mp4 begins; the rest is noise
    path.write_bytes((head + os.urandom(MIB))[:MIB] * (SIZE // MIB))
    return path


def stored_file(state: Path, video_id: str) -> Path:
    return state / "objects" / "videos" / "original" / video_id / "master.mp4"


async def get(address: str, path: str) -> dict[str, Any]:
    async with httpx.AsyncClient(base_url=address, timeout=300) as client:
        found: dict[str, Any] = (await client.get(path)).json()
        return found


@asynccontextmanager
async def up_behind(cable: Cable, state: Path) -> AsyncIterator[Up]:
    """A platform whose clients reach it over the cable."""
    async with cable.laid(), up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as running:
        cable.leads_to = urlsplit(running.address).port or 0
        yield running


@pytest.mark.req(303, 304)
async def test_a_killed_client_and_a_killed_server_lose_nothing(tmp_path: Path, film: Path):
    state, cable = tmp_path / "state", Cable()
    cable.hold(PART_2)
    async with up_behind(cable, state) as running:
        client = await sightline("upload", str(film), "--parallel", "1", "--server", cable.address)
        await cable.held(PART_2)
        client.kill()
        await soon(client.communicate())
        (upload,) = (await get(running.address, "/uploads"))["uploads"]
        assert upload["uploadedParts"] == 1
        kill(running.tree())
    async with up(state) as running:
        (again,) = (await get(running.address, "/uploads"))["uploads"]
        assert again["videoId"] == upload["videoId"]
        code, out, err = await ask("upload", str(film), "--state-dir", str(state), "--json")
        assert code == 0, err
        (outcome,) = json.loads(out)
        assert outcome == {"file": str(film), "video_id": upload["videoId"], "status": "UPLOADED"}
        stored = stored_file(state, upload["videoId"])
        assert await asyncio.to_thread(filecmp.cmp, stored, film, shallow=False)

        async def is_taken_up() -> bool:
            video = await get(running.address, f"/videos/{upload['videoId']}")
            return video["status"] not in ("CREATED", "UPLOADING", "UPLOADED")

        await until(is_taken_up)


@pytest.mark.req(303)
async def test_a_server_killed_while_it_completes_ends_in_one_whole_video(tmp_path: Path, film: Path):
    state, cable = tmp_path / "state", Cable()
    cable.hold(COMPLETION)
    async with up_behind(cable, state) as running:
        client = await sightline("upload", str(film), "--server", cable.address)
        await cable.held(COMPLETION)
        (upload,) = (await get(running.address, "/uploads"))["uploads"]
        assert upload["uploadedParts"] == 3
        cable.let_go(COMPLETION)
        # Asks once more, so that the server has read what it is to complete when it is killed.
        await get(running.address, "/api/health")
        kill(running.tree())
        client.kill()
        await soon(client.communicate())
    async with up(state) as running:
        code, _, err = await ask("upload", str(film), "--state-dir", str(state), "--json")
        assert code == 0, err
        videos = (await get(running.address, "/videos"))["videos"]
        whole = [video for video in videos if stored_file(state, video["videoId"]).exists()]
        assert whole, videos
        for video in whole:
            assert stored_file(state, video["videoId"]).stat().st_size == SIZE


@pytest.mark.req(425)
async def test_a_server_that_is_stopped_and_started_again_is_waited_for(tmp_path: Path, film: Path):
    state, cable = tmp_path / "state", Cable()
    cable.hold(PART_2)
    async with cable.laid():
        async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as running:
            cable.leads_to = urlsplit(running.address).port or 0
            client = await sightline("upload", str(film), "--json", "--parallel", "1", "--server", cable.address)
            await cable.held(PART_2)
            kill(running.tree())
            cable.cut()
        async with up(state, SIGHTLINE_API_PUBLIC_URL=cable.address) as running:
            cable.leads_to = urlsplit(running.address).port or 0
            assert (await get(running.address, "/uploads"))["uploads"][0]["uploadedBytes"] == 8 * MIB
            cable.mend()
            out, err = await soon(client.communicate(), within_s=120)
            (outcome,) = json.loads(out)
            assert outcome["status"] == "UPLOADED", err
        stored = stored_file(state, outcome["video_id"])
        assert await asyncio.to_thread(filecmp.cmp, stored, film, shallow=False)


@pytest.mark.req(426)
async def test_an_interrupted_command_tells_how_much_is_kept(tmp_path: Path, film: Path):
    state, cable = tmp_path / "state", Cable()
    cable.hold(PART_2)
    async with up_behind(cable, state):
        client = await sightline("upload", str(film), "--parallel", "1", "--server", cable.address)
        await cable.held(PART_2)
        client.send_signal(signal.SIGINT)
        _, err = await soon(client.communicate())
        assert client.returncode == 130
        assert f"{film}: 8.4 MB of 22.0 MB kept" in err.decode()
        assert "repeat the command to resume" in err.decode()


async def test_what_cannot_be_uploaded_is_named(tmp_path: Path):
    state, notes = tmp_path / "state", tmp_path / "notes.txt"
    notes.write_text("no film")
    code, _, err = await ask("upload", str(tmp_path / "missing.mp4"), "--state-dir", str(state))
    assert (code, "missing.mp4 is not a file" in err) == (1, True)
    async with up(state):
        code, out, _ = await ask("upload", str(notes), "--force", "--state-dir", str(state))
    assert code == 1
    assert "notes.txt: not uploaded: extension: 'txt' is none of mp4, mov, avi, mkv, webm, m4v" in out.replace(
        "Value error, ", ""
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no film", "the file is not a video but a text file"),
        (bytes([1, 2, 3, 4]), "this file isn't a video we can read"),
        (b"", "the file is empty"),
    ],
)
async def test_a_file_that_is_no_video_is_refused_before_anything_is_sent_stored_or_mailed(
    tmp_path: Path, film: Path, content: bytes, reason: str
):
    notes = tmp_path / "notes.mp4"
    notes.write_bytes(content)
    # No server is there: a request of any kind would fail with another error.
    code, out, err = await ask("upload", str(film), str(notes), "--server", "http://127.0.0.1:9")
    assert (code, out) == (1, "")
    assert err.strip().endswith(f"notes.mp4: {reason}")
    assert err.count("\n") == 1  # no progress bars
