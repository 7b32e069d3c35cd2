"""`sightline upload` as a person uses it, while things are killed."""

import asyncio
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from support.platform_process import ask, kill, sightline, up
from support.waiting import until

MIB = 1024 * 1024
SIZE = 2 * 32 * MIB + 5 * MIB  # three parts


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film of 69 MiB.mp4"
    path.write_bytes(os.urandom(MIB) * (SIZE // MIB))
    return path


def stored_file(state: Path, video_id: str) -> Path:
    return state / "objects" / "videos" / "original" / video_id / "master.mp4"


async def unfinished(address: str) -> list[dict[str, Any]]:
    async with httpx.AsyncClient(base_url=address) as client:
        found: list[dict[str, Any]] = (await client.get("/uploads")).json()["uploads"]
        return found


@pytest.mark.req(303)
@pytest.mark.req(304)
async def test_a_killed_client_and_a_killed_server_lose_nothing(tmp_path: Path, film: Path):
    state = tmp_path / "state"
    async with up(state) as running:
        client = await sightline("upload", str(film), "--parallel", "1", "--state-dir", str(state))

        async def a_part_is_there():
            uploads = await unfinished(running.address)
            return bool(uploads) and uploads[0]["uploadedParts"] >= 1

        await until(a_part_is_there, within_s=60)
        client.kill()
        await client.wait()
        (upload,) = await unfinished(running.address)
        tree = running.tree()
        kill(tree)
        await asyncio.to_thread(psutil.wait_procs, tree, 10)
    async with up(state) as running:
        (again,) = await unfinished(running.address)
        assert again["videoId"] == upload["videoId"]
        code, out, err = await ask("upload", str(film), "--state-dir", str(state), "--json")
        assert code == 0, err
        (outcome,) = json.loads(out)
        assert outcome == {"file": str(film), "video_id": upload["videoId"], "status": "UPLOADED"}
        stored = stored_file(state, upload["videoId"])
        assert await asyncio.to_thread(stored.read_bytes) == await asyncio.to_thread(film.read_bytes)

        async def is_taken_up():
            async with httpx.AsyncClient(base_url=running.address) as http:
                video = (await http.get(f"/videos/{upload['videoId']}")).json()
            return video["status"] not in ("CREATED", "UPLOADING", "UPLOADED")

        await until(is_taken_up, within_s=30)


@pytest.mark.req(303)
async def test_a_server_killed_while_it_completes_ends_in_one_whole_video(tmp_path: Path, film: Path):
    state = tmp_path / "state"
    async with up(state) as running:
        client = await sightline("upload", str(film), "--state-dir", str(state))

        async def all_parts_are_there():
            uploads = await unfinished(running.address)
            return bool(uploads) and uploads[0]["uploadedParts"] == 3

        with suppress(httpx.HTTPError, AssertionError):
            await until(all_parts_are_there, within_s=60)
        tree = running.tree()
        kill(tree)
        await asyncio.to_thread(psutil.wait_procs, tree, 10)
        with suppress(ProcessLookupError):  # it may have seen the end of its upload by then
            client.kill()
        await client.wait()
    async with up(state) as running:
        code, _, err = await ask("upload", str(film), "--state-dir", str(state), "--json")
        assert code == 0, err
        async with httpx.AsyncClient(base_url=running.address) as http:
            videos = (await http.get("/videos")).json()["videos"]
        whole = [video for video in videos if stored_file(state, video["videoId"]).exists()]
        assert whole, videos
        for video in whole:
            assert stored_file(state, video["videoId"]).stat().st_size == SIZE


async def test_what_cannot_be_uploaded_is_told_by_name(tmp_path: Path):
    state, notes = tmp_path / "state", tmp_path / "notes.txt"
    notes.write_text("no film")
    code, _, err = await ask("upload", str(tmp_path / "missing.mp4"), "--state-dir", str(state))
    assert (code, "missing.mp4 is no file" in err) == (1, True)
    async with up(state):
        code, out, _ = await ask("upload", str(notes), "--state-dir", str(state))
    assert code == 1
    assert "notes.txt: not uploaded: extension: 'txt' is none of mp4, mov, avi, mkv, webm" in out.replace(
        "Value error, ", ""
    )
