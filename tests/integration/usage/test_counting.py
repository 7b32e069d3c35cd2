"""What is used is counted where it happens, once, and stays when the videos are gone."""

import asyncio
from datetime import date
from uuid import UUID, uuid4

import pytest

from sightline.contracts import LOCAL_OWNER_ID
from sightline.objects import frame_key, original_key
from sightline.usage import Month, UsageCounters, days_of_owner, stored_now
from sightline.videos import NewVideo, remove_video
from support.pipeline_rig import STATUSES_IN_ORDER
from support.uploading import Uploading, make_parts_small
from support.usage_rows import used_by

ANN, BEN = UUID(int=11), UUID(int=12)
MONTH = Month(date(2026, 1, 1))


async def processed(platform, owner, *, ms=90_000, size=7):
    video_id = uuid4()
    async with platform.database.transaction() as tx:
        await platform.videos.create(tx, NewVideo(video_id, owner, "talk.mp4", size_bytes=size))
        for status in STATUSES_IN_ORDER:
            await platform.videos.move(tx, video_id, status)
        await tx.execute("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, ms)
    return video_id


@pytest.mark.req(1140)
async def test_an_upload_over_http_counts_once_with_its_bytes(platform, client, monkeypatch):
    make_parts_small(monkeypatch, platform)
    upload = await Uploading.start(client, platform, b"0123456789" * 2)
    await upload.send()
    assert "uploads" not in await used_by(platform, LOCAL_OWNER_ID)
    for _ in range(2):
        assert (await upload.complete()).status_code == 200
    used = await used_by(platform, LOCAL_OWNER_ID)
    assert (used["uploads"], used["uploaded_bytes"]) == (1, 20)


@pytest.mark.req(1140)
async def test_the_length_of_a_video_counts_when_it_is_known_and_not_again(platform):
    video_id = await processed(platform, ANN)
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE videos SET duration_ms = 91000 WHERE id = $1", video_id)
    assert (await used_by(platform, ANN))["processed_ms"] == 90_000
    assert await used_by(platform, BEN) == {}


@pytest.mark.req(1140)
async def test_what_was_used_stays_when_the_video_is_removed(platform):
    video_id = await processed(platform, ANN)
    before = await used_by(platform, ANN)
    async with platform.database.transaction() as tx:
        await remove_video(tx, video_id, store_upload_id=None)
    assert await used_by(platform, ANN) == before == {"uploads": 1, "uploaded_bytes": 7, "processed_ms": 90_000}


@pytest.mark.req(1140)
async def test_what_is_transcribed_counts_as_it_is_heard_and_again_if_it_is_heard_again(platform):
    video_id = await processed(platform, ANN)
    async with platform.database.transaction() as tx:
        await tx.execute("INSERT INTO transcripts (video_id, job_id, model) VALUES ($1, $2, 'tiny')", video_id, uuid4())
        for heard_ms in (4000, 4000, 9000, 0, 9000):
            await tx.execute("UPDATE transcripts SET heard_ms = $2 WHERE video_id = $1", video_id, heard_ms)
    assert (await used_by(platform, ANN))["transcribed_ms"] == 18_000


@pytest.mark.req(1140)
async def test_the_time_of_jobs_counts_by_type_with_failed_attempts_and_read_frames_only_when_done(platform):
    video_id = await processed(platform, ANN)
    async with platform.database.transaction() as tx:
        add = (
            "INSERT INTO jobs (video_id, job_type, payload) VALUES ($1, 'ocr', $2::text::jsonb) RETURNING id",
            video_id,
            f'{{"video_id": "{video_id}", "frame_paths": ["a", "b", "c"]}}',
        )
        job_id = await tx.fetchval(*add)
        begin = "UPDATE jobs SET status = 'processing', locked_by = 'w', locked_until = now() WHERE id = $1"
        long_ago = "UPDATE jobs SET started_at = now() - interval '10 seconds' WHERE id = $1"
        for end in ("queued", "done"):
            await tx.execute(begin, job_id)
            await tx.execute(long_ago, job_id)
            await tx.execute(f"UPDATE jobs SET status = '{end}' WHERE id = $1", job_id)
    async with platform.database.transaction() as tx:
        (day,) = await days_of_owner(tx, ANN, Month.of(await tx.fetchval("SELECT now()")))
    assert day.amounts["job_ms.ocr"] >= 20_000
    assert day.amounts["frames_read"] == 3


@pytest.mark.req(1140)
async def test_messages_and_mails_count_once_they_are_sent(platform):
    video_id = await processed(platform, ANN)
    async with platform.database.transaction() as tx:
        await tx.execute(
            """INSERT INTO mails (id, video_id, template, move, owner_id, language, recipient, subject, body_text,
                                  body_html, variables)
               VALUES ($1, $2, 't', 1, $3, 'en', 'ann@example.com', 's', 't', 'h', '{}')""",
            uuid4(),
            video_id,
            ANN,
        )
        await tx.execute("UPDATE mails SET status = 'sending', lease_until = now(), attempts = 1")
        assert not await tx.fetchval("SELECT count(*) FROM owner_usage_changes WHERE measure = 'notifications'")
        await tx.execute("UPDATE mails SET status = 'sent', lease_until = NULL, sent_at = now()")
    assert (await used_by(platform, ANN))["notifications"] == 1


@pytest.mark.req(1141)
async def test_changes_are_added_up_by_several_processes_without_losing_or_doubling_one(platform):
    counters = UsageCounters(platform.database)
    for owner in (ANN, BEN):
        for _ in range(40):
            counters.count_request(owner)
            await counters.write()
    await asyncio.gather(*(counters.add_up() for _ in range(4)))
    for owner in (ANN, BEN):
        assert await used_by(platform, owner) == {"api_requests": 40}
    async with platform.database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM owner_usage_changes") == 0
    counters.count_request(ANN)
    await counters.write()  # in both places at once
    assert await used_by(platform, ANN) == {"api_requests": 41}


@pytest.mark.req(1141)
async def test_requests_that_could_not_be_written_are_written_later(platform, monkeypatch):
    counters = UsageCounters(platform.database)
    counters.count_request(ANN)
    with monkeypatch.context() as broken:
        broken.setattr(platform.database, "transaction", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await counters.write()
    await counters.close()
    assert await used_by(platform, ANN) == {"api_requests": 1}


@pytest.mark.req(1141)
async def test_stored_bytes_are_measured_by_owner_and_fall_to_zero(platform):
    video_id = await processed(platform, ANN)
    await platform.objects.put(original_key(video_id), b"x" * 10)
    await platform.objects.put(frame_key(video_id, 0), b"x" * 3)
    await platform.storage_meter.measure()

    async def stored():
        async with platform.database.transaction() as tx:
            return await stored_now(tx, ANN), await stored_now(tx, BEN)

    assert await stored() == ({"originals_bytes": 10, "derived_bytes": 3}, {})
    async with platform.database.transaction() as tx:
        await remove_video(tx, video_id, store_upload_id=None)
    await platform.removals.sweep()
    await platform.storage_meter.measure()
    assert await stored() == ({"originals_bytes": 0, "derived_bytes": 0}, {})


@pytest.mark.req(1141)
def test_months_are_in_utc_and_know_when_the_next_begins():
    assert (str(MONTH), str(Month.parse("2026-12").after), str(MONTH.after)) == ("2026-01", "2027-01-01", "2026-02-01")
