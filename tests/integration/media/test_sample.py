"""The job `sample`: key frames of the original under their times."""

import cv2
import numpy as np
import pytest

from sightline import job_types
from sightline.contracts.jobs import Sample
from sightline.media.sampling import ranges as sampling
from sightline.objects import original_key
from sightline.videos import VideoStatus
from support.clip_maker import make_clip
from support.coded_clip import make_clip as make_coded_clip


def payload_of(video_id, **more):
    return Sample(video_id=video_id, s3_original_path=original_key(video_id), **more)


async def times(use, video_id):
    return sorted(int(key.rpartition("/")[2].removesuffix(".jpg")) for key in await use.keys(f"frames/{video_id}/"))


async def sampled(use, path, *, duration_ms, processes=1, **more):
    video_id = await use.add(path, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, duration_ms)
    job = await use.run(payload_of(video_id, **more))
    assert job.status == "done", job.error
    return video_id


@pytest.mark.req(97)
async def test_frames_are_taken_from_the_original_and_never_from_the_proxy(use, tmp_path):
    make_coded_clip(tmp_path / "original.mp4", frames=10, fps=10)
    make_clip(tmp_path / "proxy.mp4", "slides", seconds=1, size=(320, 180))
    video_id = await use.add(tmp_path / "original.mp4", status=VideoStatus.PRINTING)
    proxy_key = f"videos/proxy/{video_id}/index.m3u8"
    await use.platform.objects.put_file(proxy_key, tmp_path / "proxy.mp4")
    await use.sql("UPDATE videos SET duration_ms = 1000, s3_proxy_path = $2 WHERE id = $1", video_id, proxy_key)
    assert (await use.run(payload_of(video_id))).status == "done"
    found = await times(use, video_id)
    assert found
    for at in found:
        content = await use.platform.objects.get(f"frames/{video_id}/{at}.jpg")
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert picture is not None
        assert picture.shape == (96, 160)  # the proxy has 180 rows of 320 pixels

    await use.platform.objects.delete([original_key(video_id)])
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
    assert (await use.run(payload_of(video_id))).status == "failed"


@pytest.mark.req(100, 101)
async def test_kept_frames_are_stored_under_their_times_and_followed_by_ocr(use, tmp_path):
    clip = make_clip(tmp_path / "digits.mp4", "digits", seconds=2, fps=30)
    video_id = await sampled(use, tmp_path / "digits.mp4", duration_ms=2000)
    found = await times(use, video_id)
    for event in clip.events:
        assert any(event.start_ms <= at < event.end_ms for at in found), event
    (ocr,) = await use.jobs_of(video_id, "ocr")
    assert ocr["payload"]["frame_paths"] == [f"frames/{video_id}/{at}.jpg" for at in found]
    assert (ocr["payload"]["languages"], ocr["payload"]["min_confidence"]) == (["eng"], 0.6)


@pytest.mark.req(102)
async def test_the_text_is_to_be_read_in_the_languages_of_the_settings(use, tmp_path):
    make_clip(tmp_path / "slides.mp4", "slides", seconds=1, size=(320, 180))
    use.platform.settings.text.languages = ("eng", "deu")
    video_id = await sampled(use, tmp_path / "slides.mp4", duration_ms=1000)
    (ocr,) = await use.jobs_of(video_id, "ocr")
    assert ocr["payload"]["languages"] == ["eng", "deu"]


@pytest.mark.req(98)
async def test_a_fast_video_gives_at_most_ten_frames_per_second(use, tmp_path):
    make_coded_clip(tmp_path / "fast.mp4", frames=120, fps=120)
    video_id = await sampled(use, tmp_path / "fast.mp4", duration_ms=1000)
    found = await times(use, video_id)
    assert found == list(range(0, 1000, 100))


@pytest.mark.req(100)
async def test_times_count_from_the_beginning_of_the_video_wherever_its_clock_begins(use, tmp_path):
    make_coded_clip(tmp_path / "late.mp4", frames=30, fps=30, start_s=5.0)
    video_id = await sampled(use, tmp_path / "late.mp4", duration_ms=1000)
    assert (await times(use, video_id))[0] == 0


async def test_frames_of_a_turned_video_stand_upright(use, tmp_path):
    make_coded_clip(tmp_path / "turned.mp4", frames=10, fps=10, rotation=90)
    video_id = await sampled(use, tmp_path / "turned.mp4", duration_ms=1000)
    content = await use.platform.objects.get(f"frames/{video_id}/0.jpg")
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert picture.shape == (160, 96)


@pytest.mark.req(101, 290, 293)
async def test_ranges_in_parallel_keep_the_same_frames_as_one_run(use, tmp_path, monkeypatch):
    options = {"preset": "veryfast", "g": "12"}
    make_clip(tmp_path / "mixed.mp4", "mixed", seconds=6, fps=15, size=(320, 180), options=options)
    one = await sampled(use, tmp_path / "mixed.mp4", duration_ms=6000)
    monkeypatch.setattr(sampling, "MIN_RANGE_S", 1.5)
    kind = job_types.sample(use.platform)
    kind._processes = 4
    video_id = await use.add(tmp_path / "mixed.mp4", status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = 6000 WHERE id = $1", video_id)
    job_id = await use.enqueue(payload_of(video_id))
    async with use.working(kind):
        job = await use.settled(job_id)
    shown = "SELECT times_ms FROM frame_overviews WHERE video_id = $1"
    (overview,), (same,) = await use.sql(shown, one), await use.sql(shown, video_id)
    assert overview["times_ms"] == same["times_ms"]
    found = {"frames": len(await times(use, one)), "ranges": 4, "overview": len(overview["times_ms"])}
    assert (job.status, job.result) == ("done", found)
    assert await times(use, video_id) == await times(use, one)
    (ocr,) = await use.jobs_of(video_id, "ocr")
    assert ocr["payload"]["frame_paths"] == [f"frames/{video_id}/{at}.jpg" for at in await times(use, one)]
    for at in await times(use, one):
        first, second = [await use.platform.objects.get(f"frames/{who}/{at}.jpg") for who in (one, video_id)]
        assert first == second


async def test_doing_it_again_leaves_the_same_frames(use, tmp_path):
    make_clip(tmp_path / "slides.mp4", "slides", seconds=2)
    video_id = await sampled(use, tmp_path / "slides.mp4", duration_ms=2000)
    before = await times(use, video_id)
    await use.platform.objects.put(f"frames/{video_id}/99999.jpg", b"left from a run with other settings")
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
    assert (await use.run(payload_of(video_id))).status == "done"
    assert await times(use, video_id) == before


@pytest.mark.req(72, 295)
async def test_a_missing_original_fails_the_video_at_once(use):
    video_id = await use.add(None, status=VideoStatus.PRINTING)
    job = await use.run(payload_of(video_id))
    assert (job.status, job.retry_count) == ("failed", 0)
    video = await use.video(video_id)
    assert video.status is VideoStatus.FAILED
    assert "no object at" in (video.error_reason or "")


async def test_a_video_that_is_removed_during_the_job_leaves_nothing(use, tmp_path):
    make_clip(tmp_path / "slides.mp4", "slides", seconds=1)
    video_id = await use.add(tmp_path / "slides.mp4", status=VideoStatus.PRINTING)
    await use.sql("DELETE FROM videos WHERE id = $1", video_id)
    await use.run(payload_of(video_id))
    assert await use.keys(f"frames/{video_id}/") == []
    assert await use.jobs_of(video_id, "ocr") == []
