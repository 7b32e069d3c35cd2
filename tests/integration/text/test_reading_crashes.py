"""Killed while frames are taken or read: the next worker ends with what an undisturbed run ends with."""

import cv2
import numpy as np
import pytest

from sightline.contracts.jobs import Ocr, Sample
from sightline.objects import original_key
from sightline.text.reading import ocr as ocr_module
from sightline.videos import VideoStatus
from support.coded_clip import make_clip
from support.media_process import CHUNK_FRAMES, half_way

FRAMES = 3 * CHUNK_FRAMES
EVERY_MS = 100


def frame_that_says(text):
    picture = np.full((90, 320), 245, np.uint8)
    cv2.putText(picture, text, (16, 58), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 20, 2, cv2.LINE_AA)
    return cv2.imencode(".jpg", picture)[1].tobytes()


async def video_to_be_sampled(use, film):
    video_id = await use.add(film, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = 2000 WHERE id = $1", video_id)
    return video_id, Sample(video_id=video_id, s3_original_path=original_key(video_id))


async def video_to_be_read(use):
    """Key frames of which each shows another text."""
    video_id = await use.add(None, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, FRAMES * EVERY_MS)
    keys = tuple(f"frames/{video_id}/{number * EVERY_MS}.jpg" for number in range(FRAMES))
    for number, key in enumerate(keys):
        await use.platform.objects.put(key, frame_that_says(f"Item {1000 + 7 * number} sold"))
    return video_id, Ocr(video_id=video_id, frame_paths=keys)


async def frames_of(use, video_id):
    prefix = f"frames/{video_id}/"
    return {key.removeprefix(prefix): await use.platform.objects.get(key) for key in await use.keys(prefix)}


async def readings(use, video_id):
    rows = await use.sql(
        "SELECT text, t_start, t_end, confidence, bounding_box FROM segments WHERE video_id = $1 ORDER BY t_start, text",
        video_id,
    )
    return [tuple(row) for row in rows]


@pytest.mark.req(80, 108, 109, 303)
async def test_sample_and_ocr_killed_half_way_end_with_the_same_frames_and_readings(
    use, fresh_database, tmp_path, monkeypatch
):
    monkeypatch.setattr(ocr_module, "FRAMES_PER_CHUNK", CHUNK_FRAMES)
    make_clip(tmp_path / "film.mp4", frames=60)
    state = tmp_path / "state"
    sampled, sample = await video_to_be_sampled(use, tmp_path / "film.mp4")
    read, ocr = await video_to_be_read(use)
    async with half_way(fresh_database.url, state, "sample", "ocr"):
        jobs = {payload.job_type: await use.enqueue(payload) for payload in (ocr, sample)}
    assert any((state / "work").rglob("*.jpg"))
    assert 0 < len(await readings(use, read)) <= CHUNK_FRAMES
    results = {}
    for kind, job_id in jobs.items():
        assert (await use.job(job_id)).status == "processing"
        await use.end_lease(job_id)
        async with use.working(use.handler(kind)):
            job = await use.settled(job_id)
        assert (job.status, job.retry_count) == ("done", 1)
        results[kind] = job.result
    assert [path for path in (state / "work").rglob("*") if path.is_file()] == []

    (first,) = await use.jobs_of(sampled, "ocr")
    await use.sql("DELETE FROM jobs WHERE id = $1", first["id"])  # what follows the sampling is not to be read here
    undisturbed, payload = await video_to_be_read(use)
    assert (await use.run(payload)).status == "done"
    found = await readings(use, read)
    assert found == await readings(use, undisturbed)
    assert len({text for text, *_ in found}) > 0.9 * FRAMES
    assert len(await use.jobs_of(read, "segment_index")) == 1

    undisturbed, payload = await video_to_be_sampled(use, tmp_path / "film.mp4")
    assert (await use.run(payload)).result == results["sample"]
    assert await frames_of(use, sampled) == await frames_of(use, undisturbed)
    assert len(await frames_of(use, sampled)) > 10
    (second,) = await use.jobs_of(undisturbed, "ocr")
    assert len(first["payload"]["frame_paths"]) == len(second["payload"]["frame_paths"])
