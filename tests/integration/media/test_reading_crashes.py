"""Killed while frames are taken or read: the next worker ends with what an undisturbed run ends with."""

import asyncio
import signal
import subprocess
import sys

import cv2
import numpy as np
import pytest

from sightline.contracts.jobs import Ocr, Sample
from sightline.text.ocr import STRETCH
from sightline.videos import VideoStatus
from sightline.videos.keys import original_key
from support import media_process
from support.coded_clip import make_clip
from support.waiting import until

FRAMES = 3 * STRETCH
EVERY_MS = 100


async def start_worker(kind, url, state):
    process = await asyncio.create_subprocess_exec(
        sys.executable, media_process.__file__, kind, url, str(state), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    assert await asyncio.wait_for(process.stdout.readline(), 60) == b"ready\n"
    return process


async def killed_and_resumed(use, kind, url, state, payload, is_half_way):
    """The job's end, after its first worker was killed in the middle."""
    process = await start_worker(kind, url, state)
    job_id = await use.enqueue(payload)
    await until(is_half_way, within_s=60)
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert (await use.job(job_id)).status == "processing"
    async with use.working(use.kind(kind), lease_s=1.0):

        async def is_done():
            return (await use.job(job_id)).status == "done"

        await until(is_done, within_s=90)
    job = await use.job(job_id)
    assert job.retry_count == 1
    return job


@pytest.mark.req(80)
@pytest.mark.req(303)
async def test_sample_killed_half_way_ends_with_the_same_frames(use, fresh_database, tmp_path):
    film, state = tmp_path / "film.mp4", tmp_path / "state"
    make_clip(film, frames=600, width=1280, height=720, options={"preset": "ultrafast"})

    async def video():
        video_id = await use.add(film, status=VideoStatus.PRINTING)
        await use.sql("UPDATE videos SET duration_ms = 20000 WHERE id = $1", video_id)
        return video_id, Sample(video_id=video_id, s3_original_path=original_key(video_id))

    async def frames_of(video_id):
        prefix = f"frames/{video_id}/"
        return {key.removeprefix(prefix): await use.platform.objects.get(key) for key in await use.keys(prefix)}

    killed, payload = await video()
    job = await killed_and_resumed(
        use, "sample", fresh_database.url, state, payload, lambda: any((state / "work").rglob("*.jpg"))
    )
    assert [path for path in (state / "work").rglob("*") if path.is_file()] == []
    undisturbed, payload = await video()
    other = await use.run(payload)
    assert job.result == other.result
    assert await frames_of(killed) == await frames_of(undisturbed)
    assert len(await frames_of(killed)) > 10
    (first,), (second,) = [await use.jobs_of(one, "ocr") for one in (killed, undisturbed)]
    assert len(first["payload"]["frame_paths"]) == len(second["payload"]["frame_paths"])


def frame_that_says(text):
    picture = np.full((90, 320), 245, np.uint8)
    cv2.putText(picture, text, (16, 58), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 20, 2, cv2.LINE_AA)
    return cv2.imencode(".jpg", picture)[1].tobytes()


async def video_to_be_read(use):
    """Key frames of which each shows another text."""
    video_id = await use.add(None, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, FRAMES * EVERY_MS)
    keys = tuple(f"frames/{video_id}/{number * EVERY_MS}.jpg" for number in range(FRAMES))
    for number, key in enumerate(keys):
        await use.platform.objects.put(key, frame_that_says(f"Item {1000 + 7 * number} sold"))
    return video_id, Ocr(video_id=video_id, frame_paths=keys)


async def readings(use, video_id):
    rows = await use.sql(
        "SELECT text, t_start, t_end, confidence, bounding_box FROM segments WHERE video_id = $1 ORDER BY t_start, text",
        video_id,
    )
    return [tuple(row) for row in rows]


@pytest.mark.req(80)
@pytest.mark.req(108)
@pytest.mark.req(109)
@pytest.mark.req(303)
async def test_ocr_killed_between_two_stretches_ends_with_the_same_readings(use, fresh_database, tmp_path):
    killed, payload = await video_to_be_read(use)

    async def is_partly_read():
        return len(await readings(use, killed)) > 0

    await killed_and_resumed(use, "ocr", fresh_database.url, tmp_path / "state", payload, is_partly_read)
    undisturbed, payload = await video_to_be_read(use)
    assert (await use.run(payload)).status == "done"
    found = await readings(use, killed)
    assert found == await readings(use, undisturbed)
    assert len({text for text, *_ in found}) > 0.9 * FRAMES
    assert len(await use.jobs_of(killed, "segment_index")) == 1
