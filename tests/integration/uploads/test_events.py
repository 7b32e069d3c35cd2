"""The storage event finishes what the client did not; and the start of processing."""

import asyncio
from uuid import UUID

import pytest

from sightline import queue_consumers
from sightline.bus import SPLIT_QUEUE, STORAGE_QUEUE, QueueMessage
from sightline.objects import original_key
from sightline.videos import VideoStatus, list_moves
from support.uploading import age, announce, depth_of, is_empty, md5, splits, until_status
from support.waiting import until


@pytest.mark.req(264, 269)
async def test_the_event_finishes_what_the_client_did_not(start, platform, consuming):
    upload = await start()
    await upload.urls()
    await upload.send(1)
    await upload.put(2, 3)
    await upload.store_completes()
    async with consuming("storage_events"):
        await until_status(upload, "UPLOADED")
    found = await upload.progress()
    assert (found["uploadedParts"], found["percentage"]) == (3, 100)
    assert found["parts"][0]["etag"] == md5(upload.part(1))
    assert len(await splits(platform)) == 1


@pytest.mark.req(270)
async def test_the_event_finishes_an_upload_that_never_asked_for_addresses(start, platform, consuming):
    upload = await start()
    await upload.put(1, 2, 3)
    await upload.store_completes()
    async with consuming("storage_events"):
        await until_status(upload, "UPLOADED")
    history = (await upload.client.get(f"/videos/{upload.video_id}")).json()["history"]
    assert [move["status"] for move in history] == ["CREATED", "UPLOADED"]


@pytest.mark.req(271, 273)
async def test_events_that_come_late_or_twice_change_nothing(start, platform, consuming):
    upload = await start()
    await upload.send()
    assert (await upload.complete()).status_code == 200
    before = (await upload.client.get(f"/videos/{upload.video_id}")).json()
    for _ in range(3):
        await announce(platform, upload.key)
    async with consuming("storage_events"):
        await until(lambda: is_empty(platform, STORAGE_QUEUE))
    assert (await upload.client.get(f"/videos/{upload.video_id}")).json() == before
    assert len(await splits(platform)) == 1


@pytest.mark.req(273, 298)
async def test_however_they_race_there_is_one_move_and_one_start(start, platform, consuming):
    upload = await start()
    await upload.send()
    scanner = queue_consumers.scanner(platform)
    async with consuming("storage_events", "storage_events"):
        await asyncio.gather(
            *(upload.complete() for _ in range(4)), *(announce(platform, upload.key) for _ in range(3))
        )
        age(platform, upload.key, 60)
        await asyncio.gather(*(scanner.scan() for _ in range(2)))
        await until(lambda: is_empty(platform, STORAGE_QUEUE))
    history = (await upload.client.get(f"/videos/{upload.video_id}")).json()["history"]
    assert [move["status"] for move in history] == ["CREATED", "UPLOADING", "UPLOADED"]
    assert len(await splits(platform)) == 1


@pytest.mark.req(275)
@pytest.mark.parametrize("key", ["videos/else/thing.mp4", original_key(UUID(int=5))])
async def test_an_event_for_an_unknown_key_becomes_a_dead_letter(platform, consuming, key):
    await announce(platform, key)
    async with consuming("storage_events"):
        await until(lambda: _is_dead(platform))
    (letter,) = await platform.bus.peek(STORAGE_QUEUE, limit=10)
    assert key in (letter.dead_reason or "")
    assert letter.receive_count > 1


async def _is_dead(platform):
    return (await depth_of(platform, f"{STORAGE_QUEUE}-dlq")).visible == 1


@pytest.mark.parametrize("key", ["frames/x/1.jpg", "videos/clips/x/y.mp4", "logs/pipeline/x.json"])
async def test_events_of_what_the_platform_stores_itself_are_passed_over(platform, consuming, key):
    await announce(platform, key)
    async with consuming("storage_events"):
        await until(lambda: is_empty(platform, STORAGE_QUEUE))
    assert (await depth_of(platform, f"{STORAGE_QUEUE}-dlq")).visible == 0


@pytest.mark.req(276)
async def test_an_object_of_another_size_fails_the_video_with_the_reason(start, platform, consuming):
    upload = await start()
    await upload.urls()
    await upload.put(1, 2)
    await upload.store_completes(1, 2)  # a store takes any parts it is told to take
    async with consuming("storage_events"):
        await until_status(upload, "FAILED")
    video = (await upload.client.get(f"/videos/{upload.video_id}")).json()
    assert video["errorReason"] == "the stored file has 20 bytes, 25 were declared"
    assert await splits(platform) == []
    assert (await upload.complete()).status_code == 409


@pytest.mark.req(276)
async def test_an_object_of_other_bytes_than_reported_fails_the_video(start, platform, consuming):
    upload = await start()
    await upload.send()
    other = b"0123456789"
    await upload.put(2, content=other)
    upload.content = upload.content[:10] + other + upload.content[20:]
    await upload.store_completes()
    async with consuming("storage_events"):
        await until_status(upload, "FAILED")
    video = (await upload.client.get(f"/videos/{upload.video_id}")).json()
    assert video["errorReason"] == "the stored file is not made of the parts that were reported"


@pytest.mark.req(263)
async def test_completing_when_the_store_has_done_so_already(start, platform):
    """The answer was lost, or the process killed between the store and the database."""
    upload = await start()
    await upload.send()
    await upload.store_completes()
    answer = await upload.complete()
    assert (answer.status_code, answer.json()["status"]) == (200, "UPLOADED")
    assert len(await splits(platform)) == 1


async def test_completing_what_the_store_has_dropped_fails_the_video(start, platform):
    upload = await start()
    await upload.send()
    await platform.objects.abort_upload(upload.key, upload.upload_id)
    answer = await upload.complete()
    assert answer.status_code == 409
    assert "no longer has this upload" in answer.json()["error"]["message"]
    assert await upload.status() == "FAILED"


@pytest.mark.req(277, 298)
async def test_the_split_message_starts_the_processing_once(start, platform, consuming):
    upload = await start()
    await upload.send()
    await upload.complete()
    (message,) = await splits(platform)
    async with platform.database.transaction() as tx:
        await platform.bus.send(tx, SPLIT_QUEUE, *(QueueMessage(message.body) for _ in range(3)))
    await platform.bus.return_unprocessed([message])
    async with consuming("split_messages"):
        await until(lambda: is_empty(platform, SPLIT_QUEUE))
    assert await upload.status() == "PROCESSING"
    async with platform.database.transaction() as tx:
        moves = [move.status for move in await list_moves(tx, UUID(upload.video_id))]
        announced = await tx.fetch(
            "SELECT data ->> 'status' AS status FROM live_messages WHERE type = 'video.status' ORDER BY sequence"
        )
    assert moves[-2:] == ["UPLOADED", "PROCESSING"]
    assert [row["status"] for row in announced].count("PROCESSING") == 1  # repeated messages announce nothing again
    jobs = (await upload.client.get("/jobs", params={"video_id": upload.video_id})).json()["jobs"]
    assert [(job["job_type"], job["status"]) for job in jobs] == [("transcode", "queued")]
    (payload,) = [job.get("payload") for job in jobs]
    assert payload is None or payload["s3_original_path"] == upload.key


@pytest.mark.req(274, 302)
async def test_the_move_and_the_split_message_commit_together(start, platform, monkeypatch):
    upload = await start()
    await upload.send()

    async def fail(*_):
        raise RuntimeError("killed while sending")

    with monkeypatch.context() as patch:
        patch.setattr(platform.completion, "_bus", type("Broken", (), {"send": staticmethod(fail)})())
        with pytest.raises(RuntimeError):
            await platform.uploads.complete(UUID(upload.video_id), None)
    assert await upload.status() in ("CREATED", "UPLOADING")
    assert (await upload.complete()).status_code == 200
    assert len(await splits(platform)) == 1


def test_statuses_before_uploaded_are_these_two():
    assert [status for status in VideoStatus if status.is_before_uploaded] == [
        VideoStatus.CREATED,
        VideoStatus.UPLOADING,
    ]
