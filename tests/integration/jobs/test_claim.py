"""Claiming: the most urgent, then oldest; never twice; with a lease; and as fast beside a hundred thousand done jobs."""

import asyncio
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import sightline.jobs
from sightline.db import load_queries
from sightline.jobs import NewJob
from support.waiting import until

_sql = load_queries(Path(sightline.jobs.__file__).with_name("queries.sql"))


async def take_expired(use, *, worker="reaper", job_type="clip_generate"):
    async with use.database.transaction(by_index=True) as tx:
        return await use.queue.take_expired(tx, job_type, worker=worker, lease=timedelta(seconds=60))


@pytest.mark.req(58)
async def test_the_oldest_comes_first(use):
    ids = [await use.enqueue() for _ in range(5)]
    await use.sql("UPDATE jobs SET created_at = now() - interval '1 hour' WHERE id = $1", ids[3])
    assert [(await use.claim_one()).id for _ in ids] == [ids[3], ids[0], ids[1], ids[2], ids[4]]
    assert await use.claim() == []


@pytest.mark.req(82)
async def test_the_more_urgent_comes_first_and_then_the_older(use):
    priorities = [0, 5, -3, 5, 0, 100]
    ids = [await use.enqueue(priority=one) for one in priorities]
    wanted = [ids[5], ids[1], ids[3], ids[0], ids[4], ids[2]]
    assert [job.id for job in await use.claim(limit=4)] == wanted[:4]
    assert [(await use.claim_one()).id for _ in range(2)] == wanted[4:]


@pytest.mark.req(60)
async def test_a_worker_gets_jobs_of_its_own_type_alone(use):
    video = uuid4()
    types = ("transcode", "sample", "ocr", "segment_index", "clip_generate")
    ids = {one: await use.enqueue(use.payload(one, video)) for one in types}
    for one in types:
        claimed = await use.claim(one, limit=10)
        assert [(job.id, job.job_type) for job in claimed] == [(ids[one], one)]


@pytest.mark.req(61, 79)
async def test_a_claim_sets_state_owner_lease_and_times_together(use):
    payload = use.payload()
    job_id = await use.enqueue(payload)
    job = await use.claim_one(worker="host:1:abc")
    row = await use.row(job_id)
    assert (row["status"], row["locked_by"]) == ("processing", "host:1:abc")
    assert row["started_at"] == row["updated_at"] == job.started_at
    assert row["locked_until"] - row["started_at"] == timedelta(minutes=5)
    assert (job.id, job.video_id, job.payload, job.retry_count) == (job_id, payload.video_id, payload.to_json(), 0)


@pytest.mark.req(61)
async def test_a_claim_that_is_rolled_back_never_was(use):
    job_id = await use.enqueue()
    before = await use.row(job_id)
    with pytest.raises(RuntimeError):
        async with use.database.transaction() as tx:
            await use.queue.claim(tx, "clip_generate", worker="w1", limit=1, lease=timedelta(minutes=5))
            raise RuntimeError
    assert await use.row(job_id) == before
    assert await use.history(job_id) == ["queued"]


@pytest.mark.req(59)
@pytest.mark.parametrize("limit", [1, 7])
async def test_many_claimers_never_get_the_same_job(use, limit):
    async with use.database.transaction() as tx:
        wanted = await use.queue.enqueue_many(tx, [NewJob(use.payload()) for _ in range(300)])
    taken: list[Any] = []

    async def claimer(name):
        while claimed := await use.claim(worker=name, limit=limit):
            assert len(claimed) <= limit
            taken.extend((job.id, name) for job in claimed)

    await asyncio.gather(*(claimer(f"w{number}") for number in range(10)))
    assert sorted(job_id for job_id, _ in taken) == sorted(one.id for one in wanted)
    rows = await use.sql("SELECT id, locked_by FROM jobs")
    assert {(row["id"], row["locked_by"]) for row in rows} == set(taken)


@pytest.mark.req(59)
async def test_a_job_that_another_transaction_holds_is_passed_over_not_waited_for(use):
    first, second = await use.enqueue(), await use.enqueue()
    async with use.database.transaction() as tx:
        held = await use.queue.claim(tx, "clip_generate", worker="w1", limit=1, lease=timedelta(minutes=5))
        assert [job.id for job in held] == [first]
        assert [job.id for job in await use.claim(worker="w2", limit=5)] == [second]


# Leases ----------------------------------------------------------------------------------------------------------


@pytest.mark.req(79)
async def test_a_heartbeat_extends_the_lease_of_those_that_are_still_ones_own(use):
    ids = [await use.enqueue() for _ in range(4)]
    mine = await use.claim(worker="w1", limit=3)
    other = await use.claim_one(worker="w2")
    assert await use.finish(mine[2])
    await use.expire(ids[0])
    async with use.database.transaction() as tx:
        held = await use.queue.heartbeat(tx, [*ids, uuid4()], worker="w1", lease=timedelta(minutes=5))
        now = await tx.fetchval("SELECT now()")
    assert held == {ids[0], ids[1]}, "an expired lease that no other worker has claimed can be extended"
    assert (await use.row(ids[0]))["locked_until"] == now + timedelta(minutes=5)
    assert (await use.row(other.id))["locked_until"] != now + timedelta(minutes=5)


@pytest.mark.req(80)
async def test_a_job_with_a_valid_lease_is_not_claimed_by_another_worker(use):
    await use.enqueue()
    await use.claim_one(worker="w1")
    assert await use.claim(worker="w2", limit=10) == []


@pytest.mark.req(80)
async def test_a_job_whose_lease_ran_out_is_claimable_and_has_used_one_attempt(use):
    payload = use.payload()
    job_id = await use.enqueue(payload)
    await use.claim_one(worker="w1")
    await use.expire(job_id)
    job = await use.claim_one(worker="w2")
    assert (job.id, job.retry_count, job.payload) == (job_id, 1, payload.to_json())
    row = await use.row(job_id)
    assert (row["locked_by"], row["retry_count"], row["progress"]) == ("w2", 1, 0)
    assert await use.claim(worker="w3") == []


@pytest.mark.req(70, 80)
async def test_a_job_whose_worker_vanished_on_the_last_attempt_is_not_claimed_but_failed(use):
    job_id = await use.enqueue()
    for attempt in range(4):
        job = await use.claim_one(worker=f"w{attempt}")
        assert job.retry_count == attempt
        assert await take_expired(use) == []
        await use.expire(job_id)
        if attempt < 3:
            assert await take_expired(use) == [], "it has attempts left"
    assert await use.claim(worker="w9") == []
    (taken,) = await take_expired(use)
    assert taken.id == job_id
    assert await take_expired(use, worker="another") == [], "it is the first one's to fail"
    assert await use.fail(taken, worker="reaper")
    row = await use.row(job_id)
    assert (row["status"], row["retry_count"]) == ("failed", 3)
    assert (await use.history(job_id)).count("processing") == 5, "four attempts, and the one that cleared up"


@pytest.mark.req(81)
async def test_a_worker_that_lost_its_lease_can_do_nothing_to_the_job(use):
    job_id = await use.enqueue()
    old = await use.claim_one(worker="w1")
    await use.expire(job_id)
    await use.claim_one(worker="w2")
    before = await use.row(job_id)
    assert not await use.finish(old, worker="w1")
    assert not await use.fail(old, worker="w1")
    assert not await use.retry_later(old, worker="w1")
    async with use.database.transaction() as tx:
        assert await use.queue.release(tx, [old], worker="w1", reason="stop") == set()
        assert await use.queue.heartbeat(tx, [job_id], worker="w1", lease=timedelta(hours=1)) == set()
        assert not await use.queue.set_result(tx, job_id, {"mine": True}, worker="w1")
        await use.queue.report_progress(tx, job_id, 0.9, "mine", worker="w1")
    assert await use.row(job_id) == before


@pytest.mark.req(81)
async def test_a_lease_that_ran_out_but_was_not_taken_over_still_counts(use):
    job_id = await use.enqueue()
    job = await use.claim_one()
    await use.expire(job_id)
    assert await use.finish(job)


@pytest.mark.req(91)
async def test_a_released_job_is_claimable_at_once_and_has_used_no_attempt(use):
    job_id = await use.enqueue()
    job = await use.claim_one()
    async with use.database.transaction() as tx:
        assert await use.queue.release(tx, [job], worker="w1", reason="the worker was stopped") == {job_id}
    row = await use.row(job_id)
    assert (row["status"], row["retry_count"], row["locked_by"], row["run_after"]) == ("queued", 0, None, None)
    assert (await use.claim_one(worker="w2")).retry_count == 0


@pytest.mark.req(71)
async def test_a_job_that_waits_out_its_delay_cannot_be_claimed(use):
    job_id = await use.enqueue()
    await use.retry_later(await use.claim_one(), delay_s=60)
    row = await use.row(job_id)
    assert (row["run_after"] - row["updated_at"]).total_seconds() == 60
    async with use.database.transaction() as tx:
        assert await use.queue.wake_due(tx, "clip_generate") == 0
    assert await use.claim(limit=10) == []
    await use.expire(job_id)
    assert await use.claim(limit=10) == []


async def test_progress_is_within_its_bounds_and_never_falls(use):
    job_id = await use.enqueue()
    await use.claim_one()
    seen = []
    for fraction in (0.25, 0.5, 0.25, -3.0, float("nan"), 0.75, 7.0, 0.5):
        async with use.database.transaction() as tx:
            await use.queue.report_progress(tx, job_id, fraction, "text\0" if fraction == 0.5 else None, worker="w1")
        seen.append((await use.row(job_id))["progress"])
    assert seen == [0.25, 0.5, 0.5, 0.5, 0.5, 0.75, 1.0, 1.0]
    assert (await use.row(job_id))["progress_message"] == "text\ufffd"


# Speed -----------------------------------------------------------------------------------------------------------


async def explain_claim(use, *, limit=1):
    """The plan of a claim as a worker makes it, with what it really read; it is not kept."""
    async with use.database.transaction(by_index=True) as tx:
        (row,) = await tx.fetch(
            "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + _literals(_sql["claim"].sql, _sql["claim"].parameters, limit)
        )
        plan = json.loads(row[0]) if isinstance(row[0], str) else row[0]
        await tx.execute("ROLLBACK; BEGIN")
    return plan[0]["Plan"]


def _literals(sql, parameters, limit):
    values = {"worker": "'w'", "lease_s": "300", "job_type": "'clip_generate'", "max_retries": "3"}
    values |= {"limit": str(limit), "keep_progress": "false"}
    return re.sub(r"\$(\d+)", lambda found: values[parameters[int(found[1]) - 1]], sql)


def _indexes(plan):
    found = {plan["Index Name"]} if "Index Name" in plan else set()
    for inner in plan.get("Plans", ()):
        found |= _indexes(inner)
    return found


def _nodes(plan):
    return {plan["Node Type"]}.union(*(_nodes(inner) for inner in plan.get("Plans", ())))


def _buffers(plan):
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


async def _claims_cheaply(use):
    """Whether a claim reads index pages alone and not the jobs."""
    return _buffers(await explain_claim(use)) < 2000


@pytest.mark.req(90)
async def test_a_claim_reads_little_beside_a_hundred_thousand_done_jobs(use):
    """They were queued, claimed and done like any other, and left their dead entries in the index."""
    await use.many_jobs(100_000)
    await use.finish_by_hand()
    ids = [await use.enqueue() for _ in range(20)]
    assert [job.id for job in await use.claim(limit=10)] == ids[:10]
    # Claims mark the entries of jobs that are done as dead, unless a transaction may still see those: the analysis that so
    # many new rows call for has a snapshot too, for a moment.
    await until(lambda: _claims_cheaply(use))
    before_vacuum = await explain_claim(use)
    await use.vacuum()
    after_vacuum = await explain_claim(use)
    for plan in (before_vacuum, after_vacuum):
        assert "jobs_claim" in _indexes(plan)
        assert not {"Seq Scan", "Sort", "Bitmap Heap Scan"} & _nodes(plan)
    assert _buffers(after_vacuum) < 100
    assert [job.id for job in await use.claim(limit=10)] == ids[10:]


@pytest.mark.req(90)
async def test_a_claim_takes_the_first_of_a_hundred_thousand_waiting_without_reading_the_others(use):
    await use.many_jobs(100_000)
    before_analysis = await explain_claim(use, limit=10)
    await use.vacuum()
    after_analysis = await explain_claim(use, limit=10)
    for plan in (before_analysis, after_analysis):
        assert "jobs_claim" in _indexes(plan)
        assert not {"Seq Scan", "Sort", "Bitmap Heap Scan"} & _nodes(plan)
        assert _buffers(plan) < 300
