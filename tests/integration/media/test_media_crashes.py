"""Killed half-way: a worker that dies in the middle of a video leaves no process and no files, and the next one does it all."""

from pathlib import Path

import pytest

from sightline.contracts.jobs import ClipGenerate, Transcode
from sightline.objects import original_key
from sightline.videos import VideoStatus
from support.coded_clip import make_clip, read_numbers
from support.media_process import half_way

FRAMES = 90


def files_below(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


@pytest.mark.req(80, 303)
async def test_workers_killed_in_the_middle_of_a_video_are_followed_by_others(use, fresh_database, tmp_path):
    make_clip(tmp_path / "turned.mp4", frames=FRAMES, rotation=90)
    video_id, other_id = await use.add(tmp_path / "turned.mp4"), await use.add(tmp_path / "turned.mp4")
    state = tmp_path / "state"
    transcode = Transcode(video_id=video_id, s3_original_path=original_key(video_id))
    cut = ClipGenerate(video_id=other_id, clip_id="c", t_start=0, t_end=2000, s3_original_path=original_key(other_id))
    async with half_way(fresh_database.url, state, "transcode", "clip_generate"):
        jobs = {payload.job_type: await use.enqueue(payload) for payload in (transcode, cut)}
    assert files_below(state / "work") != []
    for kind, job_id in jobs.items():
        assert (await use.job(job_id)).status == "processing"
        await use.end_lease(job_id)
        async with use.working(use.handler(kind)):
            job = await use.settled(job_id)
        assert (job.status, job.retry_count) == ("done", 1)
    assert files_below(state / "work") == []
    assert (await use.video(video_id)).status is VideoStatus.PRINTING
    assert len(await use.jobs_of(video_id, "sample")) == 1
    playlist = await use.platform.objects.readable(f"videos/proxy/{video_id}/index.m3u8")
    shown = read_numbers(playlist, options={"allowed_extensions": "ALL"})
    assert [number for _, number in shown] == list(range(FRAMES))
    clip = await use.platform.objects.readable(f"videos/clips/{other_id}/c.mp4")
    assert [number for _, number in read_numbers(clip)] == list(range(FRAMES))
