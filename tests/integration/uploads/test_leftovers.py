"""Uploads that are abandoned or discarded, and videos that are removed."""

from datetime import timedelta
from uuid import uuid4

import pytest

from sightline import queue_consumers
from sightline.objects import original_key
from sightline.timing import utc_now
from support.uploading import abandoned, age, grow_old, until_status


@pytest.mark.req(265)
async def test_an_upload_that_nobody_goes_on_with_is_given_up(start, platform):
    upload = await start()
    await upload.urls()
    await upload.send(1)
    assert await abandoned(platform).sweep() == 0
    await grow_old(platform)
    disk = platform.open_objects.disk
    later = abandoned(platform)
    later._clock = lambda: utc_now() + timedelta(hours=25)  # the store's own times are as new as they are
    assert await later.sweep() == 1
    video = (await upload.client.get(f"/videos/{upload.video_id}")).json()
    assert (video["status"], video["errorReason"]) == (
        "FAILED",
        "the upload was abandoned: no part arrived for 24 h",
    )
    assert [one async for one in disk.find_uploads("")] == []
    assert await later.sweep() == 0
    assert (await upload.report(2)).status_code == 409
    assert (await upload.complete()).status_code == 409


@pytest.mark.req(265)
async def test_parts_that_were_not_reported_keep_an_upload_alive(start, platform):
    upload = await start()
    await upload.urls()
    await grow_old(platform)
    await upload.put(1)
    assert await abandoned(platform).sweep() == 0
    assert [part["partNumber"] for part in (await upload.progress())["parts"]] == [1]


@pytest.mark.req(265)
async def test_an_old_upload_that_is_whole_in_the_store_is_not_given_up(start, platform):
    upload = await start()
    await upload.put(1, 2, 3)
    await upload.store_completes()
    await grow_old(platform)
    assert await abandoned(platform).sweep() == 0
    assert await upload.status() == "UPLOADED"


@pytest.mark.req(303)
async def test_giving_up_goes_on_where_a_killed_process_left_it(start, platform):
    upload = await start()
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE uploads SET state = 'aborting'")
    assert await abandoned(platform).sweep() == 1
    assert await upload.status() == "FAILED"


async def test_an_upload_that_no_row_knows_is_aborted_in_the_store(platform):
    await platform.objects.create_upload(original_key(uuid4()))
    sweep = abandoned(platform)
    assert await sweep.sweep() == 0
    sweep._clock = lambda: utc_now() + timedelta(hours=25)
    assert await sweep.sweep() == 1
    assert [one async for one in platform.objects.find_uploads("")] == []


@pytest.mark.req(427)
async def test_an_upload_made_directly_in_the_store_lives_while_parts_arrive(platform):
    key, moments = original_key(uuid4()), iter([utc_now() - timedelta(hours=30), utc_now()])
    disk = platform.open_objects.disk
    disk._uploads._clock = lambda: next(moments)
    upload_id = await platform.objects.create_upload(key)
    await platform.objects.put_part(key, upload_id, 1, b"a part of a moment ago")
    assert await abandoned(platform).sweep() == 0
    assert [one.upload_id async for one in platform.objects.find_uploads("")] == [upload_id]
    later = abandoned(platform)
    later._clock = lambda: utc_now() + timedelta(hours=25)
    assert await later.sweep() == 1


async def test_a_discarded_upload_is_gone(start, platform):
    upload = await start()
    await upload.send(1)
    for _ in range(2):
        answer = await upload.client.delete(f"/videos/{upload.video_id}/upload")
        assert answer.status_code == 204
    assert await upload.status() == "FAILED"
    assert (await upload.client.get("/uploads")).json() == {"uploads": []}
    assert [one async for one in platform.objects.find_uploads("")] == []


async def test_a_finished_upload_cannot_be_discarded(start):
    upload = await start()
    await upload.send()
    await upload.complete()
    assert (await upload.client.delete(f"/videos/{upload.video_id}/upload")).status_code == 409
    assert await upload.status() == "UPLOADED"


async def test_unfinished_uploads_can_be_seen_from_any_device(start):
    first, second = await start(name="a.mp4"), await start(name="b.mp4")
    await first.send(1, 2)
    found = (await first.client.get("/uploads")).json()["uploads"]
    assert [one["videoId"] for one in found] == [first.video_id, second.video_id]
    assert (found[0]["name"], found[0]["uploadedParts"], found[0]["percentage"]) == ("a.mp4", 2, 66)
    await first.send(3)
    await first.complete()
    assert [one["name"] for one in (await first.client.get("/uploads")).json()["uploads"]] == ["b.mp4"]


@pytest.mark.req(123)
async def test_a_removed_video_takes_everything_with_it(start, platform, consuming):
    upload, other = await start(), await start()
    await upload.send()
    await upload.complete()
    async with consuming("split_messages"):
        await until_status(upload, "PROCESSING")
    kept = f"frames/{other.video_id}/0.jpg"
    for key in (f"frames/{upload.video_id}/0.jpg", f"thumbs/{upload.video_id}/poster.jpg", kept):
        await platform.objects.put(key, b"x")
    assert (await upload.client.delete(f"/videos/{upload.video_id}")).status_code == 204
    assert (await upload.client.get(f"/videos/{upload.video_id}")).status_code == 404
    assert [one.key async for one in platform.objects.find("")] == [kept]
    async with platform.database.transaction() as tx:
        for table in ("jobs", "uploads", "upload_parts", "video_moves"):
            assert await tx.fetchval(f"SELECT count(*) FROM {table} WHERE video_id = $1", upload.video_id) == 0
    assert await other.status() == "CREATED"


@pytest.mark.req(123)
async def test_what_was_being_stored_while_the_video_was_removed_goes_later(start, platform):
    upload = await start()
    await upload.send()
    await upload.complete()
    assert (await upload.client.delete(f"/videos/{upload.video_id}")).status_code == 204
    await platform.objects.put(upload.key, b"written by work that ran on")
    age(platform, upload.key, 60)
    assert await queue_consumers.scanner(platform).scan() == 0, "a removed video is not taken in again"
    platform.removals._settle_s = 0
    assert await platform.removals.sweep() == 1
    assert await platform.objects.head(upload.key) is None
    assert await platform.removals.sweep() == 0


@pytest.mark.req(123)
async def test_removing_an_unfinished_upload_drops_its_parts(start, platform):
    upload = await start()
    await upload.send(1)
    assert (await upload.client.delete(f"/videos/{upload.video_id}")).status_code == 204
    assert [one async for one in platform.objects.find_uploads("")] == []
