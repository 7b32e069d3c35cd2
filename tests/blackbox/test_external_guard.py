"""What the database refuses workers of other programs, and what it completes for them: document 001's statements, by SQL alone."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.db import Database
from sightline.jobs import JobQueue
from support.postgres import DatabaseAddresses

PAYLOAD = {"s3_original_path": "videos/original/x/master.mp4"}


class Client:
    """A worker of another program on a connection of its own."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self.connection = connection

    async def insert(self, job_type: str = "transcode", **columns: Any) -> UUID:
        video_id = columns.pop("video_id", uuid4())
        names = ["video_id", "job_type", "payload", *columns]
        values = [video_id, job_type, json.dumps({"video_id": str(video_id), **PAYLOAD}), *columns.values()]
        marks = ", ".join(f"${number}" for number in range(1, len(names) + 1))
        found: UUID = await self.connection.fetchval(
            f"INSERT INTO jobs ({', '.join(names)}) VALUES ({marks}) RETURNING id", *values
        )
        return found

    async def set(self, job_id: UUID, change: str) -> None:
        await self.connection.execute(f"UPDATE jobs SET {change} WHERE id = $1", job_id)

    async def claim(self, job_id: UUID) -> None:
        await self.set(job_id, "status = 'processing'")

    async def row(self, job_id: UUID) -> asyncpg.Record:
        found = await self.connection.fetchrow("SELECT *, now() AS now FROM jobs WHERE id = $1", job_id)
        assert found is not None
        return found


@pytest.fixture
async def client(fresh_database: DatabaseAddresses) -> AsyncIterator[Client]:
    connection = await asyncpg.connect(fresh_database.url)
    yield Client(connection)
    await connection.close()


@pytest.mark.req(410)
async def test_a_claim_during_a_delay_is_refused_and_possible_afterwards(client: Client):
    job_id = await client.insert()
    await client.set(job_id, "run_after = now() + interval '1 minute'")
    with pytest.raises(asyncpg.LockNotAvailableError, match="waits until") as refused:
        await client.claim(job_id)
    assert "run_after" in (refused.value.hint or "")
    await client.set(job_id, "run_after = now()")
    await client.claim(job_id)
    assert (await client.row(job_id))["run_after"] is None


@pytest.mark.req(410)
async def test_a_claim_before_its_dependency_is_done_is_refused(client: Client):
    first = await client.insert()
    second = await client.insert("sample", depends_on=first)
    with pytest.raises(asyncpg.LockNotAvailableError, match=f"depends on job {first}"):
        await client.claim(second)
    await client.claim(first)
    with pytest.raises(asyncpg.LockNotAvailableError, match="not done"):
        await client.claim(second)
    await client.set(first, "status = 'done'")
    await client.claim(second)


@pytest.mark.req(410, 413)
async def test_a_job_under_a_live_lease_is_claimed_by_nobody_else(client: Client):
    job_id = await client.insert()
    await client.claim(job_id)
    row = await client.row(job_id)
    assert timedelta(minutes=59) < row["locked_until"] - row["now"] <= timedelta(hours=1)
    for second in ("status = 'processing'", "locked_by = 'me', locked_until = now() + interval '5 minutes'"):
        with pytest.raises(asyncpg.LockNotAvailableError, match="is leased to"):
            await client.set(job_id, second)
    heartbeat = "status = 'processing', locked_until = now() + interval '2 hours'"
    await client.set(job_id, heartbeat)
    after = await client.row(job_id)
    assert (after["retry_count"], after["started_at"]) == (0, row["started_at"])
    assert after["locked_until"] > row["locked_until"]


@pytest.mark.req(413)
async def test_the_lease_of_a_worker_that_names_none_is_set_by_role_database_or_session(
    fresh_database: DatabaseAddresses,
):
    connection = await asyncpg.connect(fresh_database.url, server_settings={"sightline.default_lease": "10 minutes"})
    client = Client(connection)
    job_id = await client.insert()
    await client.claim(job_id)
    row = await client.row(job_id)
    assert timedelta(minutes=9) < row["locked_until"] - row["now"] <= timedelta(minutes=10)
    await connection.close()


@pytest.mark.req(413)
async def test_an_expired_lease_is_taken_over_as_the_document_says_and_uses_an_attempt(client: Client):
    job_id = await client.insert()
    take = "locked_by = '{}', locked_until = now() + interval '5 minutes'"
    await client.set(job_id, f"status = 'processing', {take.format('w1')}")
    for attempt, worker in enumerate(("w2", "w3", "w4"), start=1):
        await client.set(job_id, "locked_until = now() - interval '1 second'")
        await client.set(job_id, f"status = 'processing', {take.format(worker)}, retry_count = retry_count + 5")
        row = await client.row(job_id)
        assert (row["locked_by"], row["retry_count"]) == (worker, attempt)
    await client.set(job_id, "locked_until = now() - interval '1 second'")
    with pytest.raises(asyncpg.CheckViolationError, match="has used its 3 retries"):
        await client.set(job_id, take.format("w5"))


@pytest.mark.req(410)
async def test_a_worker_of_another_program_cannot_end_a_job_of_the_platform(client: Client, database: Database):
    job_id = await client.insert()
    queue = JobQueue(database)
    async with database.transaction() as tx:
        await queue.claim(tx, "transcode", worker="ours", limit=1, lease=timedelta(minutes=5))
    for end in ("status = 'done'", "status = 'failed'", "status = 'queued'"):
        with pytest.raises(asyncpg.LockNotAvailableError, match="is leased to ours"):
            await client.set(job_id, end)
    # Neither by first pretending to have claimed it.
    await client.set(job_id, "started_at = now(), retry_count = 1")
    with pytest.raises(asyncpg.LockNotAvailableError, match="is leased to ours"):
        await client.set(job_id, "status = 'done'")
    async with database.transaction() as tx:
        assert await queue.finish(tx, [job_id], worker="ours") == {job_id}


@pytest.mark.req(410)
async def test_a_worker_that_lost_its_lease_to_the_platform_changes_nothing(client: Client, database: Database):
    job_id = await client.insert()
    await client.claim(job_id)
    await client.set(job_id, "locked_until = now() - interval '1 second'")
    async with database.transaction() as tx:
        (job,) = await JobQueue(database).claim(tx, "transcode", worker="ours", limit=1, lease=timedelta(minutes=5))
    assert (job.id, job.retry_count) == (job_id, 1)
    with pytest.raises(asyncpg.LockNotAvailableError, match="is leased to ours"):
        await client.set(job_id, "status = 'done'")


@pytest.mark.req(411)
@pytest.mark.parametrize(
    "failure",
    [
        "status = 'failed'",
        "status = 'failed', retry_count = retry_count + 1",
        "status = 'queued', retry_count = retry_count + 1",
        "status = 'queued'",
    ],
)
async def test_each_way_to_fail_waits_in_failed_with_the_retries_counted_by_the_database(client: Client, failure: str):
    job_id = await client.insert()
    await client.claim(job_id)
    await client.set(job_id, failure)
    row = await client.row(job_id)
    assert (row["status"], row["retry_count"]) == ("failed", 0)
    payload = json.loads(row["payload"])
    assert payload["original_payload"]["s3_original_path"] == PAYLOAD["s3_original_path"]
    assert set(payload["error"]) >= {"type", "message", "timestamp", "retry_count"}
    # Who queues it again by hand does not get around the delay.
    await client.set(job_id, "status = 'queued', retry_count = retry_count + 1")
    assert (await client.row(job_id))["status"] == "failed"
    with pytest.raises(asyncpg.CheckViolationError):
        await client.claim(job_id)
    history = await client.connection.fetch("SELECT status FROM job_history WHERE job_id = $1 ORDER BY step", job_id)
    assert [entry["status"] for entry in history] == ["queued", "processing", "failed"]


@pytest.mark.req(410, 411)
async def test_a_retry_count_past_the_limit_is_refused(client: Client):
    with pytest.raises(asyncpg.CheckViolationError):
        await client.insert(retry_count=4)
    job_id = await client.insert(retry_count=3)
    await client.claim(job_id)
    with pytest.raises(asyncpg.CheckViolationError, match="has used its 3 retries"):
        await client.set(job_id, "status = 'queued', retry_count = 4")
    await client.set(job_id, "status = 'failed', retry_count = retry_count + 1")
    assert (await client.row(job_id))["retry_count"] == 3
    with pytest.raises(asyncpg.CheckViolationError, match="set retry_count to 0"):
        await client.set(job_id, "status = 'queued'")
    await client.set(job_id, "status = 'queued', retry_count = 0")
    assert (await client.row(job_id))["status"] == "queued"


@pytest.mark.req(408)
async def test_words_of_the_document_are_taken_and_never_stored(client: Client):
    sql = client.connection
    video_id = uuid4()
    path = f"videos/original/{video_id}/master.mp4"
    await sql.execute(
        "INSERT INTO videos (id, owner_id, s3_original_path, status) VALUES ($1, $2, $3, 'processing')",
        *(video_id, uuid4(), path),
    )
    state = (
        "SELECT status::text || ' ' || index_status || ' ' || coalesce(reported_status, '-') FROM videos WHERE id = $1"
    )
    assert await sql.fetchval(state, video_id) == "UPLOADED new processing"
    await sql.execute("UPDATE videos SET status = 'ready' WHERE id = $1", video_id)
    assert await sql.fetchval(state, video_id) == "UPLOADED new ready"
    await sql.execute("UPDATE videos SET status = 'PROCESSING', reported_status = NULL WHERE id = $1", video_id)
    with pytest.raises(asyncpg.CheckViolationError):
        await sql.execute("INSERT INTO videos (owner_id, s3_original_path) VALUES ($1, 'elsewhere.mp4')", uuid4())
    other = await sql.fetchval("INSERT INTO videos (owner_id) VALUES ($1) RETURNING s3_original_path", uuid4())
    assert other.startswith("videos/original/")
    with pytest.raises(asyncpg.InvalidTextRepresentationError):
        await sql.execute("UPDATE videos SET status = 'finished' WHERE id = $1", video_id)


@pytest.mark.req(409)
async def test_a_second_active_job_of_a_stage_is_refused_as_the_document_says(client: Client):
    video_id = uuid4()
    await client.insert(video_id=video_id)
    with pytest.raises(asyncpg.UniqueViolationError):
        await client.insert(video_id=video_id)
