"""Failed jobs get another chance by hand."""

import asyncio
from uuid import UUID

import asyncpg
import pytest

from sightline.contracts.jobs import SegmentIndex
from sightline.errors import Conflict, NotFound
from sightline.jobs import JobQueue, list_jobs, need_job, retry_failed_jobs, retry_jobs_by_id, retry_one_job
from support.dead_jobs import LEASE, NOBODY, clip, dead, queued, transcode
from support.postgres import DatabaseAddresses
from support.waiting import soon


@pytest.mark.req(88)
async def test_a_retried_job_is_queued_with_a_fresh_counter_its_payload_and_its_history(database):
    payload = transcode()
    job_id = await dead(database, payload)
    async with database.transaction() as tx:
        await tx.execute("UPDATE jobs SET retry_count = 3")
        report = await retry_jobs_by_id(tx, [job_id])
        job = await need_job(tx, job_id)
    assert [(one.id, one.job_type) for one in report.retried] == [(job_id, "transcode")]
    assert (job.status, job.retry_count, job.payload, job.error) == ("queued", 0, payload.to_json(), None)
    assert [move.status for move in job.transitions] == ["queued", "processing", "failed", "queued"]
    async with database.transaction() as tx:
        [claimed] = await JobQueue(database).claim(tx, "transcode", worker="w2", limit=5, lease=LEASE)
    assert (claimed.id, claimed.payload) == (job_id, payload.to_json())


@pytest.mark.req(88)
async def test_retrying_wakes_workers_and_a_dry_run_does_not(database, fresh_database: DatabaseAddresses):
    job_id = await dead(database, transcode())
    other = await dead(database, SegmentIndex(video_id=UUID(int=3)))
    heard: asyncio.Queue[str] = asyncio.Queue()
    listening = await asyncpg.connect(fresh_database.url)
    try:
        await listening.add_listener("sightline_jobs", lambda *given: heard.put_nowait(given[3]))
        async with database.transaction() as tx:
            assert (await retry_jobs_by_id(tx, [job_id], is_dry_run=True)).retried
        async with database.transaction() as tx:
            await retry_jobs_by_id(tx, [other])
        assert await soon(heard.get()) == "segment_index"  # so the dry run before it said nothing
    finally:
        await listening.close()
    async with database.transaction() as tx:
        assert (await need_job(tx, job_id)).status == "failed"


@pytest.mark.req(88)
async def test_a_pipeline_job_whose_video_has_an_active_one_is_skipped_and_does_not_hinder_others(database):
    blocked = await dead(database, transcode(UUID(int=5)))
    others = [await dead(database, transcode()) for _ in range(6)]
    active = await queued(database, transcode(UUID(int=5)))
    async with database.transaction() as tx:
        report = await retry_jobs_by_id(tx, [*others[:3], blocked, *others[3:]])
    assert [one.id for one in report.retried] == others
    [skipped] = report.skipped
    assert (skipped.id, skipped.status, skipped.active) == (blocked, "failed", active)
    assert skipped.reason == f"transcode job {active} of the same video is active"
    async with database.transaction() as tx:
        assert [job.id for job in await list_jobs(tx, status="failed")] == [blocked]
        with pytest.raises(Conflict, match="is active") as caught:
            await retry_one_job(tx, blocked)
    assert caught.value.details == {"status": "failed", "active_job_id": str(active)}


async def test_of_two_dead_jobs_of_a_video_and_type_only_the_newer_returns(database):
    older, newer = [await dead(database, transcode(UUID(int=5))) for _ in range(2)]
    async with database.transaction() as tx:
        report = await retry_failed_jobs(tx)
    assert [one.id for one in report.retried] == [newer]
    assert [(one.id, one.active) for one in report.skipped] == [(older, newer)]


async def test_clips_of_one_video_return_together(database):
    ids = [await dead(database, clip(number)) for number in range(3)]
    async with database.transaction() as tx:
        report = await retry_failed_jobs(tx, job_type="clip_generate")
    assert {one.id for one in report.retried} == set(ids)
    assert report.skipped == ()


async def test_jobs_that_are_not_failed_or_do_not_exist_are_reported(database):
    waiting = await queued(database, transcode())
    async with database.transaction() as tx:
        report = await retry_jobs_by_id(tx, [waiting, NOBODY, waiting])
        assert (report.retried, report.not_found) == ((), (NOBODY,))
        assert [one.reason for one in report.skipped] == ["it is queued, not failed"]
        with pytest.raises(Conflict, match="it is queued, not failed"):
            await retry_one_job(tx, waiting)
        with pytest.raises(NotFound, match="no job"):
            await retry_one_job(tx, NOBODY)
        assert (await retry_jobs_by_id(tx, [])).retried == ()


@pytest.mark.req(88)
async def test_all_dead_jobs_of_a_type_return_up_to_the_limit(database, monkeypatch):
    monkeypatch.setattr("sightline.jobs.admin.RETRY_PAGE_SIZE", 2)
    ids = [await dead(database, clip(number)) for number in range(5)]
    other = await dead(database, transcode())
    async with database.transaction() as tx:
        planned = await retry_failed_jobs(tx, job_type="clip_generate", limit=3, is_dry_run=True)
        assert len(await list_jobs(tx, status="failed")) == 6
        report = await retry_failed_jobs(tx, job_type="clip_generate", limit=3)
        assert (planned.is_dry_run, planned.has_more, planned.retried) == (True, True, report.retried)
        assert ([one.id for one in report.retried], report.has_more) == (ids[:1:-1], True)
        rest = await retry_failed_jobs(tx, job_type="clip_generate", limit=2)
        assert ({one.id for one in rest.retried}, rest.has_more) == (set(ids[:2]), False)
        assert [job.id for job in await list_jobs(tx, status="failed")] == [other]


async def test_those_that_cannot_return_do_not_use_up_the_limit(database, monkeypatch):
    monkeypatch.setattr("sightline.jobs.admin.RETRY_PAGE_SIZE", 2)
    free = await dead(database, transcode())
    stuck = {await dead(database, transcode(UUID(int=5))) for _ in range(3)}
    await queued(database, transcode(UUID(int=5)))
    async with database.transaction() as tx:
        report = await retry_failed_jobs(tx, limit=1)
    assert ([one.id for one in report.retried], {one.id for one in report.skipped}) == ([free], stuck)
    assert not report.has_more


async def test_two_operators_at_once_retry_a_job_once(database):
    ids = [await dead(database, clip(number)) for number in range(20)]

    async def work() -> set[UUID]:
        async with database.transaction() as tx:
            return {one.id for one in (await retry_jobs_by_id(tx, ids)).retried}

    first, second = await asyncio.gather(work(), work())
    assert (first | second, first & second) == (set(ids), set())
