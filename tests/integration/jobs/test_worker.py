"""The worker when all goes well: it runs, it wakes, it keeps to its limits."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from prometheus_client import CollectorRegistry

from sightline.db import Listener
from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs import ClaimedJob, JobMetrics, JobsSettings, NewJob
from sightline.jobs.worker_slots import WorkerSlots
from support.job_gate import Gate, raising, until_retried, until_status
from support.waiting import until


@pytest.mark.req(65)
async def test_a_job_is_run_and_done(use):
    kind = use.recording()
    payload = use.payload()
    async with use.working(kind, name="w1"):
        job_id = await use.enqueue(payload)
        await until_status(use, job_id, "done")
    row = await use.row(job_id)
    assert kind.runs == [(job_id, 1)]
    assert kind.payloads == [payload]
    assert row["finished_at"] >= row["started_at"] >= row["created_at"]
    assert (row["progress"], row["error"], row["locked_until"], row["retry_count"]) == (1, None, None, 0)
    assert await use.history(job_id) == ["queued", "processing", "done"]


@pytest.mark.req(60)
async def test_jobs_of_another_type_are_left_alone(use):
    kind = use.recording("ocr")
    async with use.working(kind):
        other = await use.enqueue("sample")
        mine = await use.enqueue("ocr")
        await until_status(use, mine, "done")
    assert kind.ids == [mine]
    assert await use.status(other) == "queued"


async def test_many_jobs_run_side_by_side_up_to_the_limit_and_not_beyond(use):
    running, peak = 0, 0

    async def work(_payload, _context):
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0)
        await use.value("SELECT 1")
        running -= 1

    kind = use.recording(work=work, concurrency=3)
    async with use.database.transaction() as tx:
        jobs = await use.queue.enqueue_many(tx, [NewJob(use.payload()) for _ in range(100)])
    async with use.working(kind):

        async def is_empty():
            return await use.value("SELECT count(*) FROM jobs WHERE status <> 'done'") == 0

        await until(is_empty)
    assert sorted(kind.ids) == sorted(job.id for job in jobs)
    assert peak == 3


@pytest.mark.req(62)
def test_a_worker_polls_every_five_seconds_by_default():
    assert JobsSettings().poll_s == 5


@pytest.mark.req(79)
def test_a_lease_is_five_minutes_and_its_heartbeat_two_by_default():
    assert (JobsSettings().lease_s, JobsSettings().heartbeat_s) == (300, 120)


@pytest.mark.req(62)
async def test_without_notifications_polling_finds_the_job(use):
    deaf = Listener(use.url)  # never run
    kind = use.recording()
    async with use.working(kind, listener=deaf, poll_s=0.1):
        await until(lambda: not kind.runs)
        job_id = await use.enqueue()
        await until_status(use, job_id, "done")


async def test_a_notification_wakes_the_worker_at_once(use):
    kind = use.recording()
    async with use.working(kind, poll_s=600):
        first = await use.enqueue()
        await until_status(use, first, "done")
        for _ in range(5):
            job_id = await use.enqueue()
            await until(partial(_has_seen, kind, job_id))


async def test_a_delayed_job_runs_when_it_is_due_without_a_notification(use):
    kind = use.recording()
    at = datetime.now(UTC) + timedelta(seconds=0.5)
    async with use.working(kind, poll_s=600):
        job_id = await use.enqueue(run_after=at)
        await until_status(use, job_id, "done")
    assert (await use.row(job_id))["started_at"] >= at


@pytest.mark.usefixtures("quick_upkeep")
async def test_a_delayed_job_runs_even_if_the_queue_never_empties(use):
    """Retries must not wait until there is nothing else to do."""
    is_over = False

    async def work(_payload, _context):
        if not is_over:
            await use.enqueue()  # the next one is there before this one is done

    kind = use.recording(work=work, concurrency=1)
    delayed = await use.enqueue(run_after=datetime.now(UTC) + timedelta(hours=1), priority=1)
    await use.enqueue()
    await use.enqueue()
    async with use.working(kind):
        try:
            await until(lambda: len(kind.runs) > 5)
            assert delayed not in kind.ids
            await use.make_due(delayed)
            await until(lambda: delayed in kind.ids)
        finally:
            is_over = True


@pytest.mark.req(83)
async def test_a_dependent_job_runs_after_the_other_is_done(use):
    kind = use.recording()
    gate = Gate()
    first_kind = use.recording("transcode", gate)
    first = await use.enqueue("transcode")
    second = await use.enqueue(depends_on=first)
    async with use.working(kind, poll_s=60), use.working(first_kind):
        await until(lambda: gate.entered == 1)
        gate.opened.set()
        await until_status(use, second, "done")  # woken, not found by chance
    rows = [await use.row(first), await use.row(second)]
    assert rows[1]["started_at"] >= rows[0]["finished_at"]


@pytest.mark.req(86)
async def test_durations_failures_and_retries_reach_the_metrics(use):
    registry = CollectorRegistry()
    kind = use.recording(work=raising(TransientFailure("later"), PermanentFailure("never")), concurrency=1)
    async with use.working(kind, metrics=JobMetrics(registry)):
        for status in ("queued", "failed", "done"):
            job_id = await use.enqueue()
            if status == "queued":
                await until_retried(use, job_id, 1)
            else:
                await until_status(use, job_id, status)
    labels = {"job_type": "clip_generate"}
    assert registry.get_sample_value("sightline_job_retries_total", labels) == 1
    assert registry.get_sample_value("sightline_job_failures_total", labels) == 1
    for outcome in ("done", "retry", "failed"):
        assert registry.get_sample_value("sightline_job_duration_seconds_count", labels | {"outcome": outcome}) == 1


async def test_a_job_that_ignored_its_cancellation_does_not_affect_the_next_one_in_its_slot():
    """A cancellation that the job ignored would make one that the next job raises look like a stop by the worker."""
    now = datetime.now(UTC)
    stubborn, next_one = (ClaimedJob(uuid4(), None, "ocr", 0, 0, "{}", None, now, now) for _ in range(2))
    seen = []

    async def work(job: ClaimedJob) -> None:
        task = asyncio.current_task()
        assert task is not None
        seen.append((job, task, task.cancelling()))
        if job is stubborn:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    slots = WorkerSlots(1, work)
    slots.put([stubborn, next_one])
    await until(lambda: len(seen) == 1)
    slots.drop(stubborn.id)
    await until(lambda: len(slots) == 0)
    assert seen[0][1] is seen[1][1], "both ran in one slot"
    assert [(job, cancelling) for job, _, cancelling in seen] == [(stubborn, 0), (next_one, 0)]


def _has_seen(kind, job_id) -> bool:
    return job_id in kind.ids
