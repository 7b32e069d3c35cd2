"""The job `transcode`: what it stores and says, what it does when it fails, and that doing it again changes nothing."""

import asyncio

import pytest

from sightline import job_types
from sightline.contracts.jobs import Transcode
from sightline.jobs import Scratch, retry_jobs_by_id
from sightline.media.stream import transcode
from sightline.objects import original_key
from sightline.videos import VideoStatus, list_moves, remove_video
from support.coded_clip import make_clip, read_numbers
from support.hostile_files import dash_manifest
from support.waiting import soon


@pytest.fixture
def clip(tmp_path):
    make_clip(tmp_path / "clip.mp4", frames=60, sound="aac")
    return tmp_path / "clip.mp4"


def payload_of(video_id):
    return Transcode(video_id=video_id, s3_original_path=original_key(video_id))


async def history(use, video_id):
    async with use.platform.database.transaction() as tx:
        return [str(move.status) for move in await list_moves(tx, video_id)]


@pytest.mark.req(94, 95, 96)
async def test_stream_and_poster_are_stored_and_published_and_followed_by_sample(use, clip, tmp_path):
    video_id = await use.add(clip)
    job = await use.run(payload_of(video_id))
    assert job.status == "done", job.error
    assert await use.keys(f"videos/proxy/{video_id}/") == [
        f"videos/proxy/{video_id}/index.m3u8",
        f"videos/proxy/{video_id}/segment_00000.ts",
    ]
    pictures = [f"thumbs/{video_id}/poster.jpg", f"thumbs/{video_id}/sprite.jpg"]
    assert await use.keys(f"thumbs/{video_id}/") == pictures
    video = await use.video(video_id)
    assert video.s3_proxy_path == f"videos/proxy/{video_id}/index.m3u8"
    assert video.s3_thumb_path == f"thumbs/{video_id}/poster.jpg"
    assert (video.width, video.height, video.fps) == (160, 96, 30.0)
    assert video.duration_ms == pytest.approx(2000, abs=30)
    assert video.status is VideoStatus.PRINTING
    assert (await history(use, video_id))[-3:] == ["PROCESSING", "SPLITTING", "PRINTING"]
    (sample,) = await use.jobs_of(video_id, "sample")
    assert sample["payload"] == {
        "video_id": str(video_id),
        "s3_original_path": original_key(video_id),
        "target_fps": 10.0,
        "dedupe_threshold": 0.95,
    }
    assert job.result is not None
    assert job.result["was_copied"] is True
    assert job.progress > 0.9
    playlist = await use.platform.objects.readable(f"videos/proxy/{video_id}/index.m3u8")
    assert [number for _, number in read_numbers(playlist, options={"allowed_extensions": "ALL"})] == list(range(60))
    assert list((tmp_path / "state" / "work").rglob("*.ts")) == []


async def test_doing_it_again_changes_nothing_and_leaves_nothing_stale(use, clip):
    video_id = await use.add(clip)
    await use.run(payload_of(video_id))
    before = [stored async for stored in use.platform.objects.find(f"videos/proxy/{video_id}/")]
    await use.platform.objects.put(f"videos/proxy/{video_id}/segment_00007.ts", b"of an earlier run")
    await use.sql("UPDATE jobs SET status = 'processing', locked_by = 'x' WHERE job_type = 'sample'")
    await use.sql("UPDATE jobs SET status = 'done' WHERE job_type = 'sample'")
    job = await use.run(payload_of(video_id))
    assert job.status == "done"
    after = [stored async for stored in use.platform.objects.find(f"videos/proxy/{video_id}/")]
    assert [(one.key, one.etag) for one in after] == [(one.key, one.etag) for one in before]
    assert len(await use.jobs_of(video_id, "sample")) == 1
    assert (await use.video(video_id)).status is VideoStatus.PRINTING


@pytest.mark.req(295)
async def test_a_missing_original_fails_at_once_and_says_so_on_the_video(use):
    video_id = await use.add(None)
    job = await use.run(payload_of(video_id))
    assert (job.status, job.retry_count) == ("failed", 0)
    assert job.error is not None
    assert job.error["type"] == "ObjectMissing"
    video = await use.video(video_id)
    assert video.status is VideoStatus.FAILED
    assert video.error_reason == f"no object at {original_key(video_id)}"


@pytest.mark.req(295, 300)
async def test_a_hostile_original_fails_at_once_with_the_cause(use, tmp_path):
    (tmp_path / "x.mp4").write_bytes(dash_manifest("http://127.0.0.1:1/x.mp4"))
    video_id = await use.add(tmp_path / "x.mp4")
    job = await use.run(payload_of(video_id))
    assert (job.status, job.retry_count) == ("failed", 0)
    video = await use.video(video_id)
    assert (video.status, video.index_status) == (VideoStatus.FAILED, "failed")
    assert video.error_reason == "the file is not a video but a DASH manifest, which leads to other files"
    assert await use.keys(f"videos/proxy/{video_id}/") == []


@pytest.mark.req(295)
async def test_a_retry_by_hand_takes_the_video_up_where_it_stood(use, clip):
    video_id = await use.add(None)
    failed = await use.run(payload_of(video_id))
    await use.platform.objects.put_file(original_key(video_id), clip)
    async with use.platform.database.transaction() as tx:
        await retry_jobs_by_id(tx, [failed.id])
    async with use.working(use.handler("transcode")):
        job = await use.settled(failed.id)
    assert job.status == "done"
    assert (await history(use, video_id))[-4:] == ["SPLITTING", "FAILED", "SPLITTING", "PRINTING"]
    assert len(await use.jobs_of(video_id, "sample")) == 1


async def test_a_video_that_was_removed_before_ends_the_job_quietly(use, clip):
    video_id = await use.add(clip)
    async with use.platform.database.transaction() as tx:
        await tx.execute("DELETE FROM videos WHERE id = $1", video_id)
    job = await use.run(payload_of(video_id))
    assert job.status == "done"
    assert await use.keys(f"videos/proxy/{video_id}/") == []


async def test_a_video_that_is_removed_during_the_job_leaves_no_objects(use, clip, monkeypatch):
    video_id = await use.add(clip)
    put_file = use.platform.objects.put_file
    removed = asyncio.Event()

    async def remove_then_put(key, path, **options):
        if not removed.is_set():
            removed.set()
            async with use.platform.database.transaction() as tx:
                await remove_video(tx, video_id, store_upload_id=None)
        return await put_file(key, path, **options)

    monkeypatch.setattr(use.platform.objects, "put_file", remove_then_put)
    job_id = await use.enqueue(payload_of(video_id))
    kind = use.handler("transcode")
    ended = asyncio.Event()
    run = kind.run

    async def run_and_tell(*given):
        try:
            await run(*given)
        finally:
            ended.set()

    monkeypatch.setattr(kind, "run", run_and_tell)
    async with use.working(kind):
        await soon(ended.wait())
    assert await use.keys(f"videos/proxy/{video_id}/") == []
    assert await use.keys(f"thumbs/{video_id}/") == []
    assert await use.sql("SELECT 1 FROM jobs WHERE id = $1 OR video_id = $2", job_id, video_id) == []


async def test_a_decoder_that_crashes_is_given_one_more_try_and_harms_no_other_job(use, clip, monkeypatch):
    broken, fine = await use.add(clip), await use.add(clip)
    kind = use.handler("transcode")
    monkeypatch.setattr(transcode, "MAKE_PROXY", "support.process_work:crash")
    job_id = await use.enqueue(payload_of(broken))
    async with use.working(kind):
        first = await use.settled(job_id)
        assert (first.status, first.retry_count) == ("queued", 1)
        assert (await use.video(broken)).status is VideoStatus.SPLITTING
        await use.make_due(job_id)
        second = await use.settled(job_id, retried=1)
        assert second.status == "failed"
        assert (await use.video(broken)).error_reason == "the process was killed by SIGSEGV"
        monkeypatch.undo()
        assert (await use.settled(await use.enqueue(payload_of(fine)))).status == "done"


async def test_a_full_disk_is_waited_for(use, clip, tmp_path):
    video_id = await use.add(clip)
    use.platform.scratch = Scratch(tmp_path / "work", reserve_bytes=1 << 60)
    job = await use.run(payload_of(video_id), job_types.transcode(use.platform))
    assert (job.status, job.retry_count) == ("queued", 1)
    assert job.error is not None
    assert "bytes free" in job.error["message"]
    assert (await use.video(video_id)).status is VideoStatus.SPLITTING
