"""The four states: the database decides which transitions are allowed, and records each of them."""

from datetime import timedelta
from itertools import permutations

import asyncpg
import pytest

from sightline.jobs import admin

MOVES = {
    ("queued", "processing"),
    ("processing", "done"),
    ("processing", "failed"),
    ("processing", "queued"),  # failed → queued in one step: a retry
    ("failed", "queued"),
}
STATES = ("queued", "processing", "done", "failed")
WAY_TO = {
    "queued": (),
    "processing": ("processing",),
    "done": ("processing", "done"),
    "failed": ("processing", "failed"),
}


async def move(use, job_id, status):
    """By nothing but SQL, as the document has it: no lease, no time, no name."""
    await use.sql("UPDATE jobs SET status = $2 WHERE id = $1", job_id, status)


async def job_in(use, status):
    job_id = await use.enqueue()
    for step in WAY_TO[status]:
        await move(use, job_id, step)
    return job_id


@pytest.mark.req(63)
async def test_the_types_are_those_of_the_document_and_no_other(use):
    rows = await use.sql("SELECT unnest(enum_range(NULL::job_type))::text AS name")
    names = [row["name"] for row in rows]
    assert names[:5] == ["transcode", "sample", "ocr", "segment_index", "clip_generate"]
    for bad in ("Transcode", "", "thumbnail"):
        with pytest.raises(asyncpg.InvalidTextRepresentationError):
            await use.sql(f"INSERT INTO jobs (job_type, payload) VALUES ('{bad}', '{{}}')")


@pytest.mark.req(64)
async def test_the_states_are_those_of_the_document_and_no_other(use):
    rows = await use.sql("SELECT unnest(enum_range(NULL::job_status))::text AS name")
    assert tuple(row["name"] for row in rows) == STATES
    job_id = await use.enqueue()
    with pytest.raises(asyncpg.InvalidTextRepresentationError):
        await use.sql(f"UPDATE jobs SET status = 'cancelled' WHERE id = '{job_id}'")
    with pytest.raises(asyncpg.CheckViolationError):
        await use.sql("UPDATE jobs SET status = NULL WHERE id = $1", job_id)


@pytest.mark.req(65, 66, 67)
async def test_only_the_contracts_moves_are_possible(use):
    for start, end in permutations(STATES, 2):
        job_id = await job_in(use, start)
        if (start, end) in MOVES:
            await move(use, job_id, end)
            assert await use.status(job_id) == end
        else:
            with pytest.raises(asyncpg.CheckViolationError, match=str(job_id)):
                await move(use, job_id, end)
            assert await use.status(job_id) == start


@pytest.mark.req(67)
async def test_a_job_begins_queued(use):
    for status in ("processing", "done", "failed"):
        with pytest.raises(asyncpg.CheckViolationError, match="a new job is queued"):
            await use.sql("INSERT INTO jobs (job_type, status, payload) VALUES ('ocr', $1, '{}')", status)


@pytest.mark.req(66)
async def test_nothing_about_a_done_job_can_be_changed(use):
    job_id = await job_in(use, "done")
    before = await use.row(job_id)
    for change in (
        "payload = '{}'",
        "retry_count = 1",
        "result = '{}'",
        "progress = 0.5",
        "locked_by = 'me'",
        "finished_at = now() + interval '1 day'",
        "moves = '{}'",
        "priority = 9",
        "job_type = 'ocr'",
        "video_id = NULL",
    ):
        with pytest.raises(asyncpg.CheckViolationError, match="is done"):
            await use.sql(f"UPDATE jobs SET {change} WHERE id = $1", job_id)
        assert await use.row(job_id) == before, change


@pytest.mark.req(66, 83)
async def test_a_done_job_may_be_removed_and_those_that_waited_for_it_stay(use):
    first = await use.enqueue()
    second = await use.enqueue(depends_on=first)
    waiting = await use.enqueue(depends_on=second)
    for _ in range(2):
        assert await use.finish(await use.claim_one())
    assert await use.statuses([first, second]) == ["done", "done"]
    await use.sql("DELETE FROM jobs WHERE id = $1", first)
    row = await use.row(second)
    assert (row["status"], row["depends_on"]) == ("done", None)
    await use.sql("DELETE FROM jobs WHERE id = $1", second)
    assert (await use.claim_one()).id == waiting


async def test_removing_jobs_finds_those_that_waited_by_index(use):
    await use.sql("INSERT INTO jobs (job_type, payload) SELECT 'clip_generate', '{}' FROM generate_series(1, 5000)")
    await use.sql(
        "UPDATE jobs SET depends_on = (SELECT min(id::text)::uuid FROM jobs) WHERE id = (SELECT max(id::text)::uuid FROM jobs)"
    )
    async with use.database.transaction(by_index=True) as tx:
        plan = await tx.fetch("EXPLAIN SELECT FROM jobs WHERE depends_on = gen_random_uuid()")
    assert "jobs_that_wait_for" in " ".join(row[0] for row in plan)


# Moves by bare SQL leave whole jobs behind -----------------------------------------------------------------------


@pytest.mark.req(91)
async def test_a_job_claimed_by_the_documents_own_statement_has_an_owner_and_a_lease(use):
    """A worker that knows nothing of leases must not leave a job that no worker can ever claim."""
    job_id = await job_in(use, "processing")
    row = await use.row(job_id)
    assert row["locked_by"]
    assert row["started_at"] is not None
    assert (row["locked_until"] - row["started_at"]).total_seconds() == 300
    assert await use.claim(worker="w2") == []
    await use.expire(job_id)
    assert (await use.claim_one(worker="w2")).id == job_id


@pytest.mark.req(65)
async def test_a_job_marked_done_by_bare_sql_has_the_time_it_finished(use):
    row = await use.row(await job_in(use, "done"))
    assert row["finished_at"] >= row["started_at"]
    assert row["finished_at"] == row["updated_at"]
    assert row["locked_until"] is None


@pytest.mark.req(75)
async def test_a_failed_job_queued_again_by_bare_sql_has_its_payload_back(use):
    payload = use.payload()
    job_id = await use.enqueue(payload)
    assert await use.fail(await use.claim_one())
    await move(use, job_id, "queued")
    row = await use.row(job_id)
    assert row["payload"] == payload.to_json()
    assert (row["locked_by"], row["locked_until"], row["finished_at"]) == (None, None, None)
    assert (await use.claim_one()).payload == payload.to_json()


# History ---------------------------------------------------------------------------------------------------------


@pytest.mark.req(65)
async def test_the_history_of_a_job_that_went_well(use):
    job_id = await use.enqueue()
    await use.finish(await use.claim_one())
    rows = await use.sql("SELECT * FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
    assert [(row["step"], row["status"], row["by"]) for row in rows] == [
        (1, "queued", None),
        (2, "processing", "w1"),
        (3, "done", "w1"),
    ]
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert {(row["job_type"], row["video_id"]) for row in rows} == {
        ("clip_generate", (await use.row(job_id))["video_id"])
    }


@pytest.mark.req(68, 75)
async def test_a_retry_is_failed_and_queued_again_in_one_step(use):
    payload = use.payload()
    job_id = await use.enqueue(payload)
    assert await use.retry_later(await use.claim_one())
    row = await use.row(job_id)
    assert (row["status"], row["retry_count"], row["payload"]) == ("queued", 1, payload.to_json())
    assert (row["locked_by"], row["locked_until"]) == (None, None)
    assert row["error"]["message"] == "for now"
    rows = await use.sql("SELECT * FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
    assert [(row["status"], row["by"]) for row in rows] == [
        ("queued", None),
        ("processing", "w1"),
        ("failed", "w1"),
        ("queued", "w1"),
    ]
    assert "for now" in rows[2]["note"]
    assert rows[2]["at"] == rows[3]["at"]


@pytest.mark.req(80)
async def test_a_take_over_shows_the_attempt_that_was_lost(use):
    job_id = await use.enqueue()
    await use.claim_one(worker="w1")
    await use.expire(job_id)
    taken = await use.claim_one(worker="w2")
    assert taken.retry_count == 1
    rows = await use.sql("SELECT * FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
    assert [(row["status"], row["by"], row["note"]) for row in rows] == [
        ("queued", None, None),
        ("processing", "w1", None),
        ("failed", "w1", "lease expired"),
        ("queued", "w2", None),
        ("processing", "w2", None),
    ]


@pytest.mark.req(80)
async def test_a_take_over_of_ones_own_job_shows_too(use):
    """After an outage a worker may be the first to find its own lease run out."""
    job_id = await use.enqueue()
    await use.claim_one()
    await use.expire(job_id)
    assert (await use.claim_one()).retry_count == 1
    assert await use.history(job_id) == ["queued", "processing", "failed", "queued", "processing"]


async def test_heartbeats_and_progress_are_no_moves(use):
    job_id = await use.enqueue()
    await use.claim_one()
    async with use.database.transaction() as tx:
        assert await use.queue.heartbeat(tx, [job_id], worker="w1", lease=timedelta(seconds=60)) == {job_id}
        await use.queue.report_progress(tx, job_id, 0.5, "half", worker="w1")
    assert await use.history(job_id) == ["queued", "processing"]


async def test_moves_of_one_transaction_stay_in_order(use):
    job_id = await use.enqueue()
    async with use.database.transaction() as tx:
        for status in ("processing", "failed", "queued", "processing", "done"):
            await tx.execute("UPDATE jobs SET status = $2 WHERE id = $1", job_id, status)
    assert await use.history(job_id) == ["queued", "processing", "failed", "queued", "processing", "done"]


# Failing and retrying --------------------------------------------------------------------------------------------


@pytest.mark.req(74)
async def test_a_failed_jobs_payload_is_the_error_and_the_original(use):
    payload = use.payload()
    job_id = await use.enqueue(payload)
    assert await use.fail(await use.claim_one(), message="no object at x")
    row = await use.row(job_id)
    assert row["status"] == "failed"
    assert row["finished_at"] is not None
    assert row["payload"] == {
        "error": {
            "type": "Broken",
            "message": "no object at x",
            "timestamp": "2025-11-13T15:42:00.000Z",
            "retry_count": 0,
        },
        "original_payload": payload.to_json(),
    }
    assert row["error"] == row["payload"]["error"]
    assert await use.history(job_id) == ["queued", "processing", "failed"]


@pytest.mark.req(75, 88)
async def test_a_job_retried_by_hand_starts_again_with_its_payload_and_keeps_its_history(use):
    payload = use.payload()
    job_id = await use.enqueue(payload)
    for attempt in range(4):
        job = await use.claim_one()
        assert job.payload == payload.to_json()
        assert job.retry_count == attempt
        if attempt < 3:
            assert await use.retry_later(job, delay_s=0)
            async with use.database.transaction() as tx:
                assert await use.queue.wake_due(tx, "clip_generate") == 1
    assert await use.fail(job)
    before = await use.history(job_id)
    async with use.database.transaction() as tx:
        await admin.retry_jobs_by_id(tx, [job_id])
    row = await use.row(job_id)
    assert (row["status"], row["retry_count"], row["error"], row["finished_at"]) == ("queued", 0, None, None)
    assert row["payload"] == payload.to_json()
    assert await use.history(job_id) == [*before, "queued"]
    assert await use.finish(await use.claim_one())


@pytest.mark.req(76)
async def test_a_failed_pipeline_job_cannot_come_back_beside_an_active_one(use):
    payload = use.payload("ocr")
    failed = await use.enqueue(payload)
    await use.fail(await use.claim_one("ocr"))
    active = await use.enqueue(payload)
    assert active != failed
    with pytest.raises(asyncpg.UniqueViolationError, match="idx_jobs_video_pipeline_active"):
        await move(use, failed, "queued")
    assert await use.statuses([failed, active]) == ["failed", "queued"]
