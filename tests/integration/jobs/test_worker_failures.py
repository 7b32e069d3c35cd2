"""The worker when jobs fail: retries, final failures, and the call of `on_failed`."""

import asyncio
from datetime import datetime, timedelta
from functools import partial

import asyncpg
import pytest

from sightline.errors import InvalidInput, NotAllowed, NotFound, PermanentFailure, Throttled, TransientFailure
from support.job_gate import Gate, raising, until_retried, until_status
from support.waiting import until


@pytest.mark.req(68, 69, 71, 73)
@pytest.mark.parametrize(
    "error",
    [
        TimeoutError("the network"),
        ConnectionResetError("reset by peer"),
        TransientFailure("storage is slow"),
        ValueError("nobody knows"),
        asyncpg.DeadlockDetectedError("deadlock"),
        asyncio.CancelledError(),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_may_work_later_is_queued_again_with_a_delay(use, error):
    payload = use.payload()
    kind = use.recording(work=raising(error))
    async with use.working(kind):
        job_id = await use.enqueue(payload)
        await until_retried(use, job_id, 1)
    row = await use.row(job_id)
    assert 48 <= (row["run_after"] - row["updated_at"]).total_seconds() <= 72
    assert row["payload"] == payload.to_json()
    assert row["error"]["retry_count"] == 0
    assert kind.failed == []
    assert len(kind.runs) == 1
    assert await use.history(job_id) == ["queued", "processing", "failed", "queued"]


async def test_a_throttled_job_waits_for_its_retry_after(use):
    kind = use.recording(work=raising(Throttled("slow down", retry_after=timedelta(hours=1))))
    async with use.working(kind):
        job_id = await use.enqueue()
        await until_retried(use, job_id, 1)
    row = await use.row(job_id)
    assert (row["run_after"] - row["updated_at"]).total_seconds() == 3600


@pytest.mark.req(69, 70, 74, 75)
async def test_after_three_retries_it_stays_failed(use):
    payload = use.payload()
    kind = use.recording(work=raising(*[TransientFailure(f"no. {n}") for n in range(9)]))
    delays = []
    async with use.working(kind):
        job_id = await use.enqueue(payload)
        for retry_count in (1, 2, 3):
            await until_retried(use, job_id, retry_count)
            row = await use.row(job_id)
            delays.append((row["run_after"] - row["updated_at"]).total_seconds())
            await use.make_due(job_id)
        await until_status(use, job_id, "failed")
    for delay, base in zip(delays, (60, 300, 900), strict=True):
        assert 0.8 * base <= delay <= 1.2 * base
    assert kind.runs == [(job_id, attempt) for attempt in (1, 2, 3, 4)]
    assert kind.payloads == [payload] * 4
    row = await use.row(job_id)
    assert row["payload"]["original_payload"] == payload.to_json()
    error = row["payload"]["error"]
    assert (error["type"], error["message"], error["retry_count"]) == ("TransientFailure", "no. 3", 3)
    begun_in_whole_milliseconds = row["started_at"] - timedelta(milliseconds=1)
    assert begun_in_whole_milliseconds <= datetime.fromisoformat(error["timestamp"]) <= row["finished_at"]
    assert row["retry_count"] == 3
    assert kind.failed == [(payload, error)]


@pytest.mark.req(72)
@pytest.mark.parametrize(
    "error",
    [
        InvalidInput("out of range"),
        NotFound("no object at videos/original/x/master.mp4"),
        NotAllowed("not with this key"),
        asyncpg.UniqueViolationError("duplicate key"),
        asyncpg.ForeignKeyViolationError("no such video"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_would_fail_the_same_way_fails_at_once(use, error):
    payload = use.payload()
    kind = use.recording(work=raising(error))
    async with use.working(kind):
        job_id = await use.enqueue(payload)
        await until_status(use, job_id, "failed")
    row = await use.row(job_id)
    assert row["retry_count"] == 0
    assert row["payload"]["error"]["type"] == type(error).__name__
    assert row["payload"]["original_payload"] == payload.to_json()
    assert len(kind.runs) == len(kind.failed) == 1


@pytest.mark.req(72)
async def test_a_constraint_that_the_database_refuses_fails_the_job_at_once(use):
    await use.table_of_effects()

    async def work(_payload, context):
        async with context.finishing() as tx:
            await tx.execute("INSERT INTO effects VALUES ('half')")
            await tx.execute("INSERT INTO jobs (id, job_type, payload) VALUES ($1, 'ocr', '{}')", context.job_id)

    async with use.working(use.recording(work=work)):
        job_id = await use.enqueue()
        await until_status(use, job_id, "failed")
    assert (await use.row(job_id))["error"]["type"] == "UniqueViolationError"
    assert await use.value("SELECT count(*) FROM effects") == 0


@pytest.mark.req(72)
async def test_an_invalid_payload_fails_at_once_and_the_field_is_named(use):
    kind = use.recording("sample")
    bad = {"video_id": str(use.payload().video_id), "s3_original_path": "x", "target_fps": -1}
    job_id = await use.value("INSERT INTO jobs (job_type, payload) VALUES ('sample', $1) RETURNING id", bad)
    async with use.working(kind):
        await until_status(use, job_id, "failed")
    row = await use.row(job_id)
    assert row["payload"]["error"]["type"] == "InvalidInput"
    assert "target_fps" in row["payload"]["error"]["message"]
    assert row["payload"]["error"]["details"]["errors"][0]["field"] == "target_fps"
    assert row["payload"]["original_payload"] == bad
    assert row["retry_count"] == 0
    assert kind.runs == []
    assert kind.failed == [], "an invalid payload cannot be given to the handler"


@pytest.mark.parametrize("payload", [[], "text", 7, {}])
async def test_a_payload_that_is_no_object_fails_too(use, payload):
    job_id = await use.value("INSERT INTO jobs (job_type, payload) VALUES ('sample', $1) RETURNING id", payload)
    async with use.working(use.recording("sample")):
        await until_status(use, job_id, "failed")


async def test_a_job_that_takes_too_long_is_ended_and_retried(use):
    gate = Gate()
    async with use.working(use.recording(work=gate, time_limit_s=0.1)):
        job_id = await use.enqueue()
        await until_retried(use, job_id, 1)
    assert gate.cancelled == 1
    assert (await use.row(job_id))["error"]["type"] == "TimeLimitExceeded"


async def test_an_error_that_json_cannot_hold_is_still_written_down(use):
    error = InvalidInput("half \ud800 and \0", details={"path": object(), "number": float("inf")})
    async with use.working(use.recording(work=raising(error))):
        job_id = await use.enqueue()
        await until_status(use, job_id, "failed")
    assert (await use.row(job_id))["error"]["message"] == "half ? and \ufffd"


async def test_on_failed_shares_the_transaction_that_fails_the_job(use):
    await use.table_of_effects()
    seen = []

    async def on_failed(tx, payload, error):
        seen.append(await tx.fetchval("SELECT status FROM jobs"))
        await tx.execute("INSERT INTO effects VALUES ($1)", f"{payload.video_id} {error['type']}")
        assert await use.value("SELECT status FROM jobs") == "processing", "no other transaction sees it yet"

    payload = use.payload()
    async with use.working(use.recording(work=raising(PermanentFailure("no")), on_failed=on_failed)):
        job_id = await use.enqueue(payload)
        await until_status(use, job_id, "failed")
    assert seen == ["failed"]
    assert await use.value("SELECT what FROM effects") == f"{payload.video_id} PermanentFailure"


@pytest.mark.usefixtures("quick_upkeep")
async def test_when_on_failed_raises_nothing_is_half_done_and_it_is_tried_again(use, log_lines):
    await use.table_of_effects()
    troubles = [RuntimeError("not now"), ValueError("not now either")]
    looked = asyncio.Event()

    async def on_failed(tx, _payload, _error):
        await tx.execute("INSERT INTO effects VALUES ('told')")
        if len(troubles) < 2:
            await looked.wait()
        if troubles:
            raise troubles.pop(0)

    kind = use.recording(work=raising(*[PermanentFailure("no")] * 9), on_failed=on_failed)
    async with use.working(kind, poll_s=0.1):
        job_id = await use.enqueue()
        await until(lambda: len(troubles) == 1)
        assert await use.status(job_id) == "processing"
        assert await use.value("SELECT count(*) FROM effects") == 0
        looked.set()
        for times in (1, 2):
            await until(partial(_were_not_settled, log_lines, times))
            await use.expire(job_id)  # then it is the next one's to try
        healthy = await use.enqueue()
        await until_status(use, job_id, "failed")
        await until_status(use, healthy, "failed")
    assert await use.value("SELECT count(*) FROM effects") == 2


def _were_not_settled(log_lines, times: int) -> bool:
    return [line["event"] for line in log_lines()].count("job.not_settled") == times
