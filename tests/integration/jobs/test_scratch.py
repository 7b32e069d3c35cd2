"""Room for files while a job runs."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.errors import BackendUnavailable
from sightline.jobs import Scratch

HOLDER = """
import asyncio, sys
from pathlib import Path
from sightline.jobs import Scratch

async def main():
    async with Scratch(Path(sys.argv[1])).directory() as path:
        (path / "left").write_text("x")
        print(path, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_a_directory_is_private_and_gone_after(tmp_path):
    scratch = Scratch(tmp_path / "work")
    async with scratch.directory() as one, scratch.directory() as other:
        assert one != other
        (one / "file").write_text("x")
        assert one.stat().st_mode & 0o077 == 0
    assert not one.exists()
    assert not other.exists()


async def test_a_failed_job_leaves_no_files_either(tmp_path):
    with pytest.raises(KeyError):
        async with Scratch(tmp_path).directory() as path:
            raise KeyError
    assert not path.exists()


async def test_work_that_does_not_fit_on_the_disk_is_put_off(tmp_path):
    with pytest.raises(BackendUnavailable, match="bytes free; the job needs"):
        async with Scratch(tmp_path).directory(needs_bytes=1 << 60):
            pass


async def test_what_a_killed_process_left_is_removed_by_the_next_and_not_before(tmp_path):
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", HOLDER, str(tmp_path), stdout=subprocess.PIPE)
    assert process.stdout is not None
    left = Path((await process.stdout.readline()).decode().strip())
    async with Scratch(tmp_path).directory():
        assert (left / "left").exists()
    process.send_signal(signal.SIGKILL)
    await process.wait()
    async with Scratch(tmp_path).directory() as own:
        assert not os.path.exists(left)  # noqa: ASYNC240 # once
        assert own.exists()


async def test_a_half_made_directory_is_removed_when_it_is_old(tmp_path):
    old, new = tmp_path / ".1-aa", tmp_path / ".2-bb"
    for path in (old, new):
        path.mkdir()
    os.utime(old, (0, 0))
    async with Scratch(tmp_path).directory():
        assert not old.exists()
        assert new.exists()


async def test_a_base_that_was_swept_away_is_made_again(tmp_path):
    scratch = Scratch(tmp_path / "work")
    async with scratch.directory() as path:
        pass
    path.parent.rmdir()
    async with scratch.directory() as path:
        assert path.is_dir()
