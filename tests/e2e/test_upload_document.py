"""The lines for curl in docs/uploads.md, as a reader pastes them."""

import asyncio
import filecmp
import json
import os
import re
import shutil
from pathlib import Path

import pytest

from support.api_process import api_processes
from support.waiting import soon

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "uploads.md"
SIZE = 33 * 1024 * 1024  # two parts


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed; the platform does not need it")
async def test_the_lines_for_curl_upload_a_film(fresh_database, tmp_path: Path):
    (lines,) = re.findall(r"```sh\n(BASE=.*?)```", DOCUMENT.read_text(), re.DOTALL)
    film = tmp_path / "lecture.mp4"
    film.write_bytes(os.urandom(1024) * (SIZE // 1024))
    async with api_processes(fresh_database.url, str(tmp_path / "state"), 1) as (api,):
        script = lines.replace("http://127.0.0.1:8400", f"http://127.0.0.1:{api.port}")
        shell = await asyncio.create_subprocess_exec(
            *("bash", "-euo", "pipefail", "-c", script), cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await soon(shell.communicate(), within_s=60)
    assert shell.returncode == 0
    *parts, completed, progress = map(json.loads, out.decode().splitlines())
    assert [part["partNumber"] for part in parts] == [1, 2]
    assert (completed["status"], completed["sizeBytes"]) == ("UPLOADED", SIZE)
    assert (progress["percentage"], len(progress["parts"])) == (100, 2)
    stored = tmp_path / "state" / "objects" / "videos" / "original" / completed["videoId"] / "master.mp4"
    assert await asyncio.to_thread(filecmp.cmp, stored, film, shallow=False)
