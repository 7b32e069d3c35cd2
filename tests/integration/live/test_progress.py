"""Uploads and jobs under way on the live feed: reported in steps, to those who may see the video."""

import asyncio
from uuid import uuid4

import pytest

from sightline import job_types
from sightline.contracts.identity import LOCAL_OWNER_ID
from sightline.contracts.jobs import Analyze
from sightline.videos import NewVideo
from support.technique_rig import add_video, running
from support.uploading import CONTENT, Uploading, make_parts_small
from support.waiting import until


@pytest.fixture
async def feed(live):
    return await live.connect("videos")


@pytest.fixture
def http(live):
    return live.http


async def reported(feed, kind, count):
    """The data of the next messages of a type."""
    return [(await feed.next_of(kind))["data"] for _ in range(count)]


async def test_an_upload_tells_how_far_it_is_now_and_then(live, feed, http, monkeypatch):
    make_parts_small(monkeypatch, live.platform)
    now = 0.0
    monkeypatch.setattr(live.platform.uploads._progress, "_clock", lambda: now)
    upload = await Uploading.start(http, live.platform, bytes(400))
    for number in range(1, 21):  # of forty, half a second each
        await upload.send(number)
        now += 0.5
    found = await reported(feed, "upload.progress", 5)
    assert [(one["uploadedParts"], one["totalParts"], one["percentage"]) for one in found] == [
        *((3, 40, 7), (5, 40, 12), (7, 40, 17), (9, 40, 22), (11, 40, 27))
    ]
    assert {one["videoId"] for one in found} == {upload.video_id}


async def test_an_upload_that_is_over_at_once_is_told_by_its_status_alone(live, feed, http, monkeypatch):
    make_parts_small(monkeypatch, live.platform)
    monkeypatch.setattr(live.platform.uploads._progress, "_clock", lambda: 7.0)
    upload = await Uploading.start(http, live.platform, CONTENT)
    await upload.send(1, 2, 3)
    await upload.complete()
    async with live.platform.database.transaction() as tx:
        kinds = {row["type"] for row in await tx.fetch("SELECT type FROM live_messages")}
    assert kinds == {"video.status"}


async def test_a_job_tells_how_far_it_is_in_steps(live, feed, monkeypatch):
    monkeypatch.setattr("sightline.jobs.worker.PROGRESS_EVERY_S", 0.02)
    platform = live.platform
    new = NewVideo(id=uuid4(), owner_id=LOCAL_OWNER_ID, name="match.mp4")
    video_id = await add_video(platform.database, platform.videos, new)
    async with platform.database.transaction() as tx:
        enqueued = await platform.jobs.enqueue(tx, Analyze(video_id=video_id, analyzer="annotations"))
    job, is_over = job_types.analyze(platform), asyncio.Event()

    async def stored():
        async with platform.database.transaction() as tx:
            return await tx.fetchval("SELECT progress FROM jobs WHERE id = $1", enqueued.id)

    async def work(payload, context):
        for fraction in (0.02, 0.1, 0.12, 0.5, 0.3):
            context.progress(fraction, f"at {fraction}")

            async def is_written(least=fraction):
                return await stored() >= least - 1e-6

            await until(is_written)
        await is_over.wait()

    monkeypatch.setattr(job, "run", work)
    async with running(job_types.worker_for(job, platform)):
        found = await reported(feed, "job.progress", 2)
        is_over.set()
    assert [(one["progress"], one["message"]) for one in found] == [(0.1, "at 0.1"), (0.5, "at 0.5")]
    assert {(one["videoId"], one["jobId"], one["jobType"]) for one in found} == {
        (str(video_id), str(enqueued.id), "analyze")
    }


async def test_only_those_who_may_see_the_video_are_told(live_with, auth_on, signed_in):
    live = await live_with(auth=auth_on)
    ann, ben = uuid4(), uuid4()
    hers, his = [await live.connect("videos", headers=signed_in(who)) for who in (ann, ben)]
    new = NewVideo(id=uuid4(), owner_id=ann, name="hers.mp4")
    video_id = await add_video(live.platform.database, live.platform.videos, new)
    await live.platform.progress.job_progressed(uuid4(), "ocr", video_id, 0.5, None)
    assert (await hers.next_of("job.progress"))["data"]["progress"] == 0.5
    await his.nothing_more()
    await live.platform.progress.job_progressed(uuid4(), "ocr", uuid4(), 0.5, None)  # of a video that is gone
    await hers.nothing_more()
