"""Reading, counting and cancelling jobs by hand."""

from datetime import UTC, datetime
from uuid import UUID

import asyncpg
import pytest

from sightline.contracts.jobs import Ocr
from sightline.db import Database
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.jobs import (
    JobQueue,
    JobRecord,
    cancel_queued_job,
    count_jobs,
    get_job,
    list_jobs,
    need_job,
    retry_jobs_by_id,
    retry_one_job,
)
from sightline.paging import Cursor
from support.dead_jobs import ERROR, LEASE, NOBODY, WORKER, clip, dead, done, queued, running, transcode

ANN = "operator ann"


async def found(database: Database, job_id: UUID) -> JobRecord:
    async with database.transaction() as tx:
        return await need_job(tx, job_id)


def steps(job: JobRecord) -> list[tuple[str, str | None]]:
    return [(move.status, move.by) for move in job.transitions]


async def test_a_job_is_shown_with_its_history(database):
    payload = transcode()
    job = await found(database, await dead(database, payload))
    assert (job.job_type, job.status, job.video_id, job.error) == ("transcode", "failed", payload.video_id, ERROR)
    assert steps(job) == [("queued", None), ("processing", WORKER), ("failed", WORKER)]
    assert job.transitions[0].at == job.created_at
    assert "it broke" in (job.transitions[2].note or "")
    async with database.transaction() as tx:
        assert await get_job(tx, NOBODY) is None


async def test_progress_is_read_as_it_was_reported(database):
    job_id = await running(database, transcode())
    async with database.transaction() as tx:
        await JobQueue(database).report_progress(tx, job_id, 0.4, "42 of 105", worker=WORKER)
    job = await found(database, job_id)
    assert (job.progress, job.progress_message) == (0.4, "42 of 105")


@pytest.mark.req(74, 87)
async def test_jobs_out_of_retries_are_listed_and_counted_by_type(database):
    payload = transcode()
    dead_transcode, dead_clip = await dead(database, payload), await dead(database, clip())
    await queued(database, transcode())
    async with database.transaction() as tx:
        await tx.execute("UPDATE jobs SET created_at = created_at - interval '1 hour' WHERE status = 'queued'")
        [listed] = await list_jobs(tx, job_type="transcode", status="failed")
        clips = await list_jobs(tx, job_type="clip_generate", status="failed")
        counts = {(one.job_type, one.status): one for one in await count_jobs(tx)}
    assert (listed.id, listed.status) == (dead_transcode, "failed")
    assert listed.payload == {"error": ERROR, "original_payload": payload.to_json()}
    assert [job.id for job in clips] == [dead_clip]
    assert {key: one.jobs for key, one in counts.items()} == {
        ("transcode", "queued"): 1,
        ("transcode", "failed"): 1,
        ("clip_generate", "failed"): 1,
    }
    assert counts["transcode", "failed"].oldest_age_s is None
    assert 3600 <= (counts["transcode", "queued"].oldest_age_s or -1) < 7200


async def test_lists_are_newest_first_and_continue_where_they_stopped(database):
    ids = [await queued(database, clip(number)) for number in range(5)]
    seen: list[UUID] = []
    before = None
    async with database.transaction() as tx:
        while page := await list_jobs(tx, limit=2, before=before):
            seen += [job.id for job in page]
            before = Cursor.parse(str(Cursor(page[-1].created_at, page[-1].id)), UUID)
    assert seen == ids[::-1]


async def test_jobs_that_began_together_are_not_lost_between_pages(database):
    queue = JobQueue(database)
    async with database.transaction() as tx:  # one transaction has one time
        ids = [(await queue.enqueue(tx, clip(number))).id for number in range(4)]
        first = await list_jobs(tx, limit=2)
        second = await list_jobs(tx, limit=2, before=Cursor(first[-1].created_at, first[-1].id))
    assert {job.id for job in first + second} == set(ids)


async def test_lists_are_narrowed_by_video_and_refuse_unknown_types(database):
    mine = await queued(database, transcode(UUID(int=1)))
    await queued(database, transcode(UUID(int=2)))
    async with database.transaction() as tx:
        assert [job.id for job in await list_jobs(tx, video_id=UUID(int=1))] == [mine]
        with pytest.raises(InvalidInput, match="no job type 'ocrr'; use one of transcode, sample, ocr"):
            await list_jobs(tx, job_type="ocrr")


@pytest.mark.parametrize(
    "text", ["", "x", f"2026-01-17T10:00:00_{NOBODY}", "2026-01-17T10:00:00Z_x", f"0001-01-01T00:00:00+23:00_{NOBODY}"]
)
def test_an_invalid_cursor_is_refused(text: str):
    with pytest.raises(InvalidInput, match="cursor"):
        Cursor.parse(text, UUID)


def test_a_cursor_keeps_microseconds():
    position = Cursor(datetime(2026, 1, 17, 10, 0, 0, 123456, tzinfo=UTC), NOBODY)
    assert Cursor.parse(str(position), UUID) == position


@pytest.mark.req(74)
async def test_a_cancelled_job_is_failed_and_says_who_did_it(database):
    payload = transcode()
    job_id = await queued(database, payload)
    async with database.transaction() as tx:
        job = await cancel_queued_job(tx, job_id, by=ANN, clock=lambda: datetime(2026, 1, 17, 10, tzinfo=UTC))
    error = {
        "type": "Cancelled",
        "message": "cancelled by operator ann",
        "timestamp": "2026-01-17T10:00:00.000Z",
        "retry_count": 0,
    }
    assert (job.status, job.error) == ("failed", error)
    assert job.payload == {"error": error, "original_payload": payload.to_json()}
    assert steps(job) == [("queued", None), ("processing", ANN), ("failed", ANN)]


async def test_a_cancelled_job_is_reported_to_the_failure_handler(database):
    failed = []

    async def on_failed(tx, job, error):
        failed.append((await tx.fetchval("SELECT status::text FROM jobs WHERE id = $1", job.id), job.id, error["type"]))

    job_id = await queued(database, transcode())
    async with database.transaction() as tx:
        await cancel_queued_job(tx, job_id, by=ANN, on_failed=on_failed)
    assert failed == [("failed", job_id, "Cancelled")]


async def test_a_cancelled_job_is_not_worked_on_and_can_be_retried(database):
    payload = transcode()
    job_id = await queued(database, payload)
    async with database.transaction() as tx:
        await cancel_queued_job(tx, job_id, by=ANN)
        assert await JobQueue(database).claim(tx, "transcode", worker=WORKER, limit=1, lease=LEASE) == []
        job = await retry_one_job(tx, job_id)
    assert (job.status, job.payload) == ("queued", payload.to_json())


async def test_only_queued_jobs_are_cancelled(database):
    states = {
        "failed": await dead(database, transcode()),
        "processing": await running(database, Ocr(video_id=UUID(int=1), frame_paths=())),
        "done": await done(database, clip()),
    }
    for state, job_id in states.items():
        async with database.transaction() as tx:
            with pytest.raises(Conflict, match=f"is {state}; only a queued job") as caught:
                await cancel_queued_job(tx, job_id, by=ANN)
        assert caught.value.details == {"status": state}
        assert (await found(database, job_id)).status == state
    async with database.transaction() as tx:
        with pytest.raises(NotFound) as unknown:
            await cancel_queued_job(tx, NOBODY, by=ANN)
    assert unknown.value.code == "JOB_NOT_FOUND"


async def test_a_job_that_a_worker_claims_at_the_same_time_is_not_cancelled(database):
    job_id = await queued(database, transcode())
    async with database.transaction() as taking:
        await JobQueue(database).claim(taking, "transcode", worker=WORKER, limit=1, lease=LEASE)
        with pytest.raises(asyncpg.LockNotAvailableError):  # it waits for the worker instead of overtaking it
            async with database.transaction() as tx:
                await tx.execute("SET LOCAL lock_timeout = '50ms'")
                await cancel_queued_job(tx, job_id, by=ANN)
    async with database.transaction() as tx:
        with pytest.raises(Conflict, match="is processing"):
            await cancel_queued_job(tx, job_id, by=ANN)


@pytest.mark.req(137)
async def test_people_can_neither_retry_nor_cancel_in_their_own_transactions(database):
    job_id = await queued(database, transcode())
    for work in (lambda tx: cancel_queued_job(tx, job_id, by="me"), lambda tx: retry_jobs_by_id(tx, [job_id])):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.as_caller({"sub": str(UUID(int=1)), "role": "authenticated"}) as tx:
                await work(tx)
    assert (await found(database, job_id)).status == "queued"
