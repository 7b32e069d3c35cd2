"""Killed half-way: a worker that dies in the middle of a video leaves no process and no files, and the next one does it all."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from sightline.contracts.jobs import ClipGenerate, Transcode
from sightline.videos import VideoStatus
from sightline.videos.keys import original_key
from support import media_process
from support.coded_clip import make_clip, read_numbers
from support.waiting import until


@pytest.fixture(scope="module")
def long_clip(tmp_path_factory):
    """One that takes some seconds to encode."""
    path = tmp_path_factory.mktemp("long") / "long.mp4"
    quick = {"preset": "ultrafast"}
    make_clip(path, frames=300, width=1280, height=720, rotation=90, options=quick)
    return path


async def start_worker(kind, url, state):
    process = await asyncio.create_subprocess_exec(
        sys.executable, media_process.__file__, kind, url, str(state), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    assert await asyncio.wait_for(process.stdout.readline(), 60) == b"ready\n"
    return process


def files_below(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


@pytest.mark.req(80)
@pytest.mark.req(303)
@pytest.mark.parametrize("kind", ["transcode", "clip_generate"])
async def test_a_worker_killed_in_the_middle_of_a_video_is_followed_by_another(
    use, fresh_database, tmp_path, long_clip, kind
):
    video_id = await use.add(long_clip)
    original = original_key(video_id)
    payload: Transcode | ClipGenerate = Transcode(video_id=video_id, s3_original_path=original)
    if kind == "clip_generate":
        payload = ClipGenerate(video_id=video_id, clip_id="c", t_start=0, t_end=9000, s3_original_path=original)
    state = tmp_path / "state"
    process = await start_worker(kind, fresh_database.url, state)
    job_id = await use.enqueue(payload)
    await until(lambda: any(path.stat().st_size for path in files_below(state / "work")), within_s=60)
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(signal.SIGKILL)
    await process.wait()
    await until(lambda: not any(child.is_running() and child.status() != "zombie" for child in children))
    assert (await use.job(job_id)).status == "processing"
    async with use.working(use.kind(kind), lease_s=1.0):

        async def is_done():
            return (await use.job(job_id)).status == "done"

        await until(is_done, within_s=90)
    assert files_below(state / "work") == []
    assert (await use.job(job_id)).retry_count == 1
    if kind == "transcode":
        assert (await use.video(video_id)).status is VideoStatus.PRINTING
        playlist = await use.platform.objects.readable(f"videos/proxy/{video_id}/index.m3u8")
        numbers = read_numbers(playlist, options={"allowed_extensions": "ALL"})
        assert len(await use.jobs_of(video_id, "sample")) == 1
    else:
        numbers = read_numbers(await use.platform.objects.readable(f"videos/clips/{video_id}/c.mp4"))
    assert [number for _, number in numbers] == list(range(300))
