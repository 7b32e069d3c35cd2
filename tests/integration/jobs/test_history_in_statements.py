"""Claims and ends of the platform write the history themselves, as the guard of the table would do it."""

from uuid import uuid4

import asyncpg
import pytest

from sightline.errors import InvalidInput
from sightline.jobs import NewJob
from support.job_gate import until_status
from support.waiting import until


async def _moves(use, job_id):
    rows = await use.sql("SELECT status::text, by, note FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
    return [tuple(row) for row in rows]


async def _refused(use, statement, job_id):
    """What the guard says of a statement of the platform."""
    with pytest.raises(asyncpg.CheckViolationError) as caught:
        await use.sql(statement, job_id)
    return str(caught.value)


@pytest.mark.req(1070)
async def test_a_job_that_is_claimed_taken_over_and_done_has_the_history_that_the_guard_writes(use):
    by_platform, by_guard = await use.enqueue(), await use.enqueue()
    await use.claim(worker="w1", limit=2)
    await use.expire(by_platform, by_guard)
    assert len(await use.claim(worker="w2", limit=2)) == 2
    async with use.database.transaction() as tx:
        await use.queue.finish(tx, [by_platform], worker="w2")
        # A statement of the platform that leaves the history as it is.
        await tx.execute("UPDATE jobs SET status = 'done' WHERE id = $1", by_guard)
    expected = [
        ("queued", None, None),
        ("processing", "w1", None),
        ("failed", "w1", "lease expired"),
        ("queued", "w2", None),
        ("processing", "w2", None),
        ("done", "w2", None),
    ]
    assert await _moves(use, by_platform) == expected
    assert await _moves(use, by_guard) == expected
    row = await use.row(by_platform)
    assert row["updated_at"] == row["finished_at"] > row["started_at"]


@pytest.mark.req(1070)
async def test_a_longer_history_does_not_let_a_move_pass_that_the_contract_does_not_know(use):
    job_id = await use.enqueue()
    longer = "moves = moves || ROW('done', now(), 'x', NULL)::sightline.job_move"
    assert "cannot go from queued to done" in await _refused(
        use, f"UPDATE jobs SET status = 'done', {longer} WHERE id = $1", job_id
    )
    assert await use.finish(await use.claim_one())
    assert "is done and cannot be changed" in await _refused(
        use, f"UPDATE jobs SET status = 'queued', {longer} WHERE id = $1", job_id
    )


@pytest.mark.req(1070)
async def test_another_program_cannot_write_history_in_place_of_the_guard(use):
    job_id = await use.enqueue()
    forged = "moves = moves || ROW('processing', now(), 'somebody else', NULL)::sightline.job_move"
    program = await asyncpg.connect(use.url)
    try:
        await program.execute(
            f"UPDATE jobs SET status = 'processing', locked_by = 'worker', {forged} WHERE id = $1", job_id
        )
    finally:
        await program.close()
    assert await _moves(use, job_id) == [("queued", None, None), ("processing", "worker", None)]


@pytest.mark.req(1071)
async def test_a_finished_job_wakes_what_depends_on_it_in_the_statement_that_finishes_it(use):
    first = await use.enqueue()
    second = await use.enqueue("ocr", depends_on=first)
    notified: list[str] = []
    listening = await asyncpg.connect(use.url)
    try:
        await listening.add_listener("sightline_jobs", lambda *given: notified.append(str(given[3])))
        assert await use.finish(await use.claim_one())
        await until(lambda: bool(notified))
    finally:
        await listening.close()
    assert notified == ["ocr"]
    kind = use.recording("ocr")
    async with use.working(kind, poll_s=60):
        await until_status(use, second, "done")


@pytest.mark.req(1072)
async def test_jobs_of_all_kinds_are_enqueued_in_order_and_pipeline_jobs_once(use):
    payloads = [use.payload(), use.payload("ocr"), use.payload()]
    payloads.append(payloads[1])
    async with use.database.transaction() as tx:
        jobs = await use.queue.enqueue_many(tx, [NewJob(one) for one in payloads])
        others = await use.queue.enqueue_many(tx, [NewJob(use.payload()) for _ in range(3)])
    assert [job.is_new for job in jobs] == [True, True, True, False]
    assert jobs[3].id == jobs[1].id
    assert all(job.is_new for job in others)
    ids = [job.id for job in (*jobs[:3], *others)]
    assert ids == sorted(ids)
    assert {row["id"] for row in await use.sql("SELECT id FROM jobs")} == set(ids)


@pytest.mark.req(1072)
async def test_a_job_that_depends_on_an_unknown_one_is_refused_whatever_its_kind(use):
    for kind in ("clip_generate", "ocr"):
        with pytest.raises(InvalidInput, match="depends_on"):
            await use.enqueue(kind, depends_on=uuid4())
