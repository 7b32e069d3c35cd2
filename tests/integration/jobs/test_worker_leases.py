"""The worker and its leases: kept, lost, taken over; and progress."""

import asyncio
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs import JobMetrics, LeaseLost
from support.job_gate import Gate, until_heartbeats, until_status
from support.waiting import until


@pytest.mark.req(79)
async def test_a_heartbeat_keeps_a_long_job(use):
    gate = Gate()
    kind = use.recording(work=gate)
    thief = use.recording()
    async with use.working(kind, lease_s=300, heartbeat_s=0.05):
        job_id = await use.enqueue()
        await until(lambda: gate.entered == 1)
        async with use.working(thief, poll_s=0.05):
            await until_heartbeats(use, job_id, 5)
            assert await use.value("SELECT locked_until > now() + interval '200 s' FROM jobs WHERE id = $1", job_id)
            gate.opened.set()
            await until_status(use, job_id, "done")
    assert thief.runs == []
    assert kind.runs == [(job_id, 1)]


@pytest.mark.req(81)
async def test_a_worker_that_lost_its_lease_cannot_finish(use):
    await use.table_of_effects()
    gate = Gate()
    raised = []

    async def work(payload, context):
        await gate(payload, context)
        try:
            async with context.finishing() as tx:
                await tx.execute("INSERT INTO effects VALUES ('late')")
        except LeaseLost as error:
            raised.append(error)
            raise

    async with use.working(use.recording(work=work), name="slow"):
        job_id = await use.enqueue()
        await until(lambda: gate.entered == 1)
        other = await use.take_over(job_id, worker="quick")
        gate.opened.set()
        await until(lambda: bool(raised))
    assert await use.value("SELECT count(*) FROM effects") == 0
    row = await use.row(job_id)
    assert (row["status"], row["locked_by"], row["retry_count"]) == ("processing", "quick", 1)
    assert await use.finish(other, worker="quick")


@pytest.mark.req(81)
@pytest.mark.parametrize("error", [None, TransientFailure("later"), PermanentFailure("never")])
async def test_a_worker_that_lost_its_lease_can_neither_complete_nor_fail_the_job(use, error):
    gate = Gate()

    async def work(payload, context):
        await gate(payload, context)
        if error and context.job_id == job_id:
            raise error

    kind = use.recording(work=work, concurrency=1)
    async with use.working(kind, name="slow"):
        job_id = await use.enqueue()
        await until(lambda: gate.entered == 1)
        await use.take_over(job_id, worker="quick")
        before = await use.row(job_id)
        gate.opened.set()
        sign = await use.enqueue()
        await until(lambda: sign in kind.ids)  # the worker has gone on to the next one
    assert await use.row(job_id) == before
    assert kind.failed == []


@pytest.mark.req(81)
async def test_a_job_that_was_taken_over_is_stopped_at_the_next_heartbeat(use):
    gate = Gate()
    async with use.working(use.recording(work=gate), lease_s=60, heartbeat_s=0.1, poll_s=600):
        job_id = await use.enqueue()
        await until(lambda: gate.entered == 1)
        await use.sql("UPDATE jobs SET locked_by = 'quick' WHERE id = $1", job_id)
        await until(lambda: gate.cancelled == 1)
    row = await use.row(job_id)
    assert (row["status"], row["locked_by"]) == ("processing", "quick")


async def test_what_a_job_does_after_it_has_finished_is_not_stopped_by_the_heartbeat(use, log_lines):
    """Clearing up, say. The job is done by then, and so no longer leased."""
    gate = Gate()

    async def work(payload, context):
        if gate.entered == 0:
            async with context.finishing():
                pass
        await gate(payload, context)

    async with use.working(use.recording(work=work), heartbeat_s=0.02):
        job_id = await use.enqueue()
        await until(lambda: gate.entered == 1)
        beside = await use.enqueue()
        await until(lambda: gate.entered == 2)
        await until_heartbeats(use, beside, 5)
        gate.opened.set()
        await until_status(use, job_id, "done")
    assert gate.cancelled == 0
    assert "job.lease_lost" not in [line["event"] for line in log_lines()]


@pytest.mark.req(80)
async def test_a_worker_that_finds_its_own_lease_run_out_does_not_run_the_job_twice(use):
    """After an outage of the database longer than a lease, the worker itself may be the first to claim again."""
    gate = Gate()
    kind = use.recording(work=gate)
    async with use.working(kind, poll_s=0.05):
        job_id = await use.enqueue()
        await until(lambda: gate.entered == 1)
        await use.expire(job_id)

        async def is_claimed_again():
            return (await use.row(job_id))["retry_count"] == 1

        await until(is_claimed_again)
        other = await use.enqueue()
        await until(lambda: gate.entered == 2)
        gate.opened.set()
        await until_status(use, job_id, "done")
        await until_status(use, other, "done")
    assert kind.runs == [(job_id, 1), (other, 1)]


@pytest.mark.req(70, 80, 84)
@pytest.mark.usefixtures("quick_upkeep")
async def test_a_job_whose_worker_vanished_on_the_last_attempt_is_failed_by_another(use, log_lines):
    payload = use.payload()
    job_id = await use.enqueue(payload)
    for attempt in range(4):
        await use.claim_one(worker=f"gone{attempt}")
        await use.expire(job_id)
    registry = CollectorRegistry()
    kind = use.recording()
    async with use.working(kind, metrics=JobMetrics(registry)):
        await until_status(use, job_id, "failed")
        await until(lambda: bool(log_lines()))
    row = await use.row(job_id)
    assert row["error"]["type"] == "LeaseExpired"
    assert row["payload"]["original_payload"] == payload.to_json()
    assert kind.runs == []
    assert [one for one, _ in kind.failed] == [payload]
    assert registry.get_sample_value("sightline_job_failures_total", {"job_type": "clip_generate"}) == 1
    (line,) = [line for line in log_lines() if line["event"] == "job.failed"]
    assert (line["job_id"], line["video_id"]) == (str(job_id), str(payload.video_id))
    assert (line["job_type"], line["status"]) == ("clip_generate", "failed")


@pytest.mark.usefixtures("quick_upkeep")
async def test_progress_is_stored_while_the_job_runs_and_never_falls(use):
    steps: asyncio.Queue[Any] = asyncio.Queue()

    async def work(_payload, context):
        while (step := await steps.get()) is not None:
            context.progress(*step)

    async def shows(job_id, progress, message):
        async def is_there():
            row = await use.row(job_id)
            assert row["progress"] <= 0.75
            return (row["progress"], row["progress_message"]) == (progress, message)

        await until(is_there)

    async with use.working(use.recording(work=work)):
        job_id = await use.enqueue()
        for step, shown in (
            ((0.25, "a quarter"), (0.25, "a quarter")),
            ((0.75,), (0.75, "a quarter")),
            ((0.5, "back?"), (0.75, "back?")),
            ((float("nan"), "odd"), (0.75, "odd")),
        ):
            await steps.put(step)
            await shows(job_id, *shown)
        await steps.put(None)
        await until_status(use, job_id, "done")
    assert (await use.row(job_id))["progress"] == 1
