"""Originals that nothing announced."""

from datetime import timedelta
from uuid import uuid4

import pytest

from sightline import queue_consumers
from sightline.objects import original_key
from sightline.videos import get_video
from support.uploading import age, announce, splits
from support.waiting import until


@pytest.mark.req(92, 298)
async def test_a_dropped_file_becomes_one_video_however_often_it_is_looked_at(client, platform):
    video_id, scanner = uuid4(), queue_consumers.scanner(platform)
    await platform.objects.put(original_key(video_id), b"a film")
    age(platform, original_key(video_id), 60)
    assert await scanner.scan() == 1
    assert [await scanner.scan() for _ in range(2)] == [0, 0]
    video = (await client.get(f"/videos/{video_id}")).json()
    assert (video["status"], video["sizeBytes"]) == ("UPLOADED", 6)
    assert len(await splits(platform)) == 1
    progress = (await client.get(f"/videos/{video_id}/progress")).json()
    assert (progress["percentage"], progress["parts"]) == (100, [])


async def test_a_file_that_is_still_being_copied_is_left_alone(platform):
    video_id, scanner = uuid4(), queue_consumers.scanner(platform)
    await platform.objects.put(original_key(video_id), b"a fi")
    stored = await platform.objects.head(original_key(video_id))
    scanner._clock = lambda: stored.modified_at + timedelta(seconds=9.9)
    assert await scanner.scan() == 0
    async with platform.database.transaction() as tx:
        assert await get_video(tx, video_id) is None


@pytest.mark.req(264)
async def test_the_scanner_finishes_an_upload_whose_event_was_lost(start, platform):
    upload = await start()
    await upload.put(1, 2, 3)
    await upload.store_completes()
    age(platform, upload.key, 60)
    assert await queue_consumers.scanner(platform).scan() == 1
    assert await upload.status() == "UPLOADED"


async def test_other_files_below_the_originals_are_no_videos(platform):
    for key in ("videos/original/notes.txt", "videos/original/x/master.mp4", f"videos/original/{uuid4()}/a.mp4"):
        await platform.objects.put(key, b"x")
        age(platform, key, 60)
    assert await queue_consumers.scanner(platform).scan() == 0


@pytest.mark.req(92)
async def test_a_file_uploaded_past_us_is_taken_in_by_its_event(client, platform, consuming):
    video_id = uuid4()
    await platform.objects.put(original_key(video_id), b"a film")
    await announce(platform, original_key(video_id), size=6)
    async with consuming("storage_events"):
        await until(lambda: _is_known(client, video_id))


async def _is_known(client, video_id):
    return (await client.get(f"/videos/{video_id}")).status_code == 200
