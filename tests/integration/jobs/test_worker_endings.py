"""The last transaction, being stopped, trouble with the database, logs."""

import asyncio
from functools import partial

import pytest
import structlog

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs import LeaseLost, NewJob, worker_slots
from sightline.observability import work_context
from support.job_gate import Gate, raising, until_retried, until_status
from support.waiting import limited, soon, until


@pytest.mark.req(78)
async def test_done_and_the_successor_commit_together(use):
    async def work(payload, context):
        async with context.finishing(result={"frames": 3}) as tx:
            await use.queue.enqueue(tx, use.payload("sample", payload.video_id))
            assert await use.value("SELECT count(*) FROM jobs") == 1

    payload = use.payload("transcode")
    async with use.working(use.recording("transcode", work)):
        job_id = await use.enqueue(payload)
        await until_status(use, job_id, "done")
    rows = await use.sql("SELECT job_type, status, video_id, result FROM jobs ORDER BY created_at")
    assert [tuple(row) for row in rows] == [
        ("transcode", "done", payload.video_id, {"frames": 3}),
        ("sample", "queued", payload.video_id, None),
    ]


@pytest.mark.req(78)
async def test_an_error_in_the_last_transaction_leaves_neither(use):
    async def work(payload, context):
        async with context.finishing() as tx:
            await use.queue.enqueue(tx, use.payload("sample", payload.video_id))
            raise TransientFailure("crash between the two")

    async with use.working(use.recording("transcode", work)):
        job_id = await use.enqueue("transcode")
        await until_retried(use, job_id, 1)
    assert await use.value("SELECT count(*) FROM jobs") == 1


async def test_a_job_finishes_once(use):
    async def work(_payload, context):
        async with context.finishing():
            pass
        async with context.finishing():
            raise AssertionError("never here")

    async with use.working(use.recording(work=work)):
        job_id = await use.enqueue()
        await until_status(use, job_id, "done")
    assert await use.status(job_id) == "done"


async def test_an_error_after_the_last_transaction_changes_nothing_any_more(use):
    async def work(_payload, context):
        async with context.finishing():
            pass
        raise PermanentFailure("too late")

    kind = use.recording(work=work, concurrency=1)
    async with use.working(kind):
        job_id = await use.enqueue()
        await until_status(use, job_id, "done")
        await until_status(use, await use.enqueue(), "done")
    assert kind.failed == []


@pytest.mark.req(91)
async def test_a_worker_that_is_stopped_finishes_what_it_runs(use):
    gate = Gate()
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(use.worker(use.recording(work=gate)).run(stop, ready.set))
    job_id = await use.enqueue()
    await until(lambda: gate.entered == 1)
    stop.set()
    waiting = await use.enqueue()
    assert not task.done()
    gate.opened.set()
    await soon(task)
    assert await use.statuses([job_id, waiting]) == ["done", "queued"]


@pytest.mark.req(91)
async def test_jobs_that_do_not_finish_in_time_are_released_without_using_an_attempt(use):
    gate = Gate()
    kind = use.recording(work=gate, concurrency=3)
    ids = [await use.enqueue() for _ in range(5)]
    async with use.working(kind, grace_s=0.1):
        await until(lambda: gate.entered == 3)
    assert gate.cancelled == 3
    rows = [await use.row(one) for one in ids]
    assert {(row["status"], row["retry_count"], row["locked_by"], row["run_after"]) for row in rows} == {
        ("queued", 0, None, None)
    }
    gate.opened.set()
    async with use.working(kind):
        for one in ids:
            await until_status(use, one, "done")
    assert {attempt for _, attempt in kind.runs} == {1}


@pytest.mark.req(91)
async def test_a_job_that_does_not_stop_is_released_and_cannot_finish_later(use, monkeypatch):
    monkeypatch.setattr(worker_slots, "CANCEL_TIMEOUT_S", 0.1)
    stubborn = asyncio.Event()
    outcome = []

    async def work(_payload, context):
        while not stubborn.is_set():
            try:
                await stubborn.wait()
            except asyncio.CancelledError:
                continue
        try:
            async with context.finishing():
                pass
        except LeaseLost as error:
            outcome.append(error)
            raise

    async with use.working(use.recording(work=work), grace_s=0.05):
        job_id = await use.enqueue()
        await until_status(use, job_id, "processing")
    assert await use.status(job_id) == "queued"
    stubborn.set()
    await until(lambda: bool(outcome))
    row = await use.row(job_id)
    assert (row["status"], row["retry_count"]) == ("queued", 0)


@pytest.mark.req(91)
async def test_a_worker_without_work_stops_at_once(use):
    async with limited(), use.working(use.recording(), poll_s=600):
        pass


async def test_a_stuck_job_does_not_hold_up_the_others(use):
    gate = Gate()
    stuck = None

    async def work(payload, context):
        if context.job_id == stuck:
            await gate(payload, context)

    kind = use.recording(work=work, concurrency=2)
    async with use.working(kind):
        async with use.database.transaction() as tx:
            stuck = (await use.queue.enqueue(tx, use.payload())).id
        ids = [await use.enqueue() for _ in range(20)]
        for one in ids:
            await until_status(use, one, "done")
        assert await use.status(stuck) == "processing"
        gate.opened.set()
        await until_status(use, stuck, "done")


async def test_a_type_that_always_fails_does_not_hold_up_another(use):
    bad = use.recording("ocr", raising(*[PermanentFailure("no")] * 50))
    good = use.recording("sample")
    async with use.working(bad), use.working(good):
        pairs = [(await use.enqueue("ocr"), await use.enqueue("sample")) for _ in range(20)]
        for first, second in pairs:
            await until_status(use, second, "done")
            await until_status(use, first, "failed")


async def test_a_job_that_finished_while_the_database_was_away_is_done_when_it_is_back(use):
    gate = Gate()
    kind = use.recording(work=gate)
    async with use.working(kind):
        job_id = await use.enqueue()
        await until(lambda: gate.entered == 1)
        for _ in range(5):
            await use.cut_connections()
        gate.opened.set()
        await use.cut_connections()
        await until_status(use, job_id, "done")
    assert kind.runs == [(job_id, 1)]


async def test_connections_that_die_in_the_middle_of_everything_lose_nothing(use):
    await use.table_of_effects()

    async def work(_payload, context):
        async with context.finishing() as tx:
            await tx.execute("INSERT INTO effects VALUES ($1)", str(context.job_id))

    async with use.database.transaction() as tx:
        jobs = await use.queue.enqueue_many(tx, [NewJob(use.payload()) for _ in range(150)])

    async def is_done():
        try:
            # No waiting for retries here, nor is it chance's turn to use up all attempts of a job.
            await use.sql("UPDATE jobs SET run_after = now() WHERE run_after > now()")
            await use.sql("UPDATE jobs SET retry_count = 0 WHERE status = 'queued' AND retry_count > 0")
            return await use.value("SELECT count(*) FROM jobs WHERE status <> 'done'") == 0
        except Exception:
            return False

    kind = use.recording(work=work)
    async with use.working(kind, lease_s=1, heartbeat_s=0.3, poll_s=0.1):
        for at_least in (10, 40, 80):
            await until(partial(_has_run, kind, at_least))
            await use.cut_connections()
        await until(is_done)
    rows = await use.sql("SELECT what FROM effects")
    assert sorted(row["what"] for row in rows) == sorted(str(job.id) for job in jobs)


@pytest.mark.usefixtures("quick_upkeep")
async def test_a_failing_upkeep_does_not_end_the_others(use):
    """An error with one job does not stop the reaper: it handles the next jobs and runs again."""

    async def on_failed(_tx, payload, _error):
        if payload.video_id == bad.video_id:
            raise RuntimeError("never")

    bad = use.payload()
    ids = [await use.enqueue(bad), *[await use.enqueue() for _ in range(3)]]
    for attempt in range(4):
        await use.claim(worker=f"gone{attempt}", limit=10)
        await use.expire(*ids)
    gate = Gate()
    kind = use.recording(work=gate, on_failed=on_failed)
    async with use.working(kind):
        for one in ids[1:]:
            await until_status(use, one, "failed")
        late = await use.enqueue()
        await until(lambda: gate.entered == 1)
        for times in (1, 2, 3):
            await until(partial(_has_failed, kind, bad, times))
            await use.expire(ids[0])  # the reaper's own lease
        gate.opened.set()
        await until_status(use, late, "done")
    assert await use.status(ids[0]) == "processing"
    assert kind.runs == [(late, 1)]


@pytest.mark.req(84)
async def test_each_log_line_of_a_job_is_json_with_its_ids_and_state(use, log_lines):
    log = structlog.get_logger("test")

    async def work(_payload, _context):
        log.info("inside", status="processing")
        await errors(_payload, _context)

    errors = raising(TransientFailure("later"), PermanentFailure("never"))
    kind = use.recording(work=work, concurrency=1)
    payloads = [use.payload() for _ in range(3)]
    ids = []
    async with use.working(kind):
        for payload, status in zip(payloads, ("queued", "failed", "done"), strict=True):
            with work_context(correlation_id=f"c-{status}"):
                ids.append(await use.enqueue(payload))
            await (until_retried(use, ids[-1], 1) if status == "queued" else until_status(use, ids[-1], status))
    lines = [line for line in log_lines() if line["event"].startswith("job.") or line["event"] == "inside"]
    assert {line["event"] for line in lines} >= {"inside", "job.failed"}
    for line in lines:
        number = ids.index(next(one for one in ids if str(one) == line["job_id"]))
        assert line["video_id"] == str(payloads[number].video_id)
        assert line["job_type"] == "clip_generate"
        assert line["status"] in ("queued", "processing", "failed", "done")
        assert line["correlation_id"] == ("c-queued", "c-failed", "c-done")[number]
    failed = [line for line in lines if line["event"] == "job.failed"]
    assert [line["status"] for line in failed] == ["queued", "failed"]


def _has_failed(kind, payload, times: int) -> bool:
    return len([1 for failed, _ in kind.failed if failed == payload]) >= times


def _has_run(kind, at_least: int) -> bool:
    return len(kind.runs) >= at_least
