"""The commands of the README, word by word, against a platform that runs."""

import asyncio
import re
from pathlib import Path

import httpx

from support.platform_process import environment, up
from support.sample_film import make_film
from support.waiting import soon

ROOT = Path(__file__).resolve().parents[2]
_TRY_NEXT = re.compile(r"## Try next\n\n```sh\n(.*?)```", re.S)


async def test_every_command_to_try_next_works_as_printed(tmp_path: Path):
    state, film = tmp_path / "state", tmp_path / "talk.mp4"
    await asyncio.to_thread(make_film, film, 9, 11)
    section = _TRY_NEXT.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert section is not None
    (tmp_path / "sightline").symlink_to(ROOT / "sightline")
    lines = section[1].splitlines()
    assert len(lines) > 8
    async with up(state) as platform, httpx.AsyncClient(timeout=None) as client:
        for line in lines:
            printed = line.replace("http://127.0.0.1:8400", platform.address).replace("WORDS", "harbour")
            command = printed.partition("  #")[0].strip()
            if command == "./sightline db --psql":
                command += " -- --command 'SELECT count(*) FROM videos'"
            if command.startswith("curl "):
                # Read as curl would; curl itself is not needed to run Sightline or its tests.
                response = await client.get(command.split()[1].strip("'"))
                assert response.is_success, f"{command}\n{response.text}"
                continue
            shell = await asyncio.create_subprocess_exec(
                *("bash", "-euo", "pipefail", "-c", command),
                cwd=tmp_path,
                env=environment() | {"SIGHTLINE_STATE_DIR": str(state)},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            out, err = await soon(shell.communicate(), within_s=100)
            assert shell.returncode == 0, f"{command}\n{out.decode()}{err.decode()}"
            assert out.strip(), command
            assert b"Traceback" not in err, command
