"""What KEDA asks the database: counted right in every state of jobs and messages, by a login that can do nothing else."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from sightline.fleet.kubernetes.scaling import jobs_query, messages_query
from support.postgres import DatabaseAddresses

ROLE = Path(__file__).resolve().parents[3] / "deploy" / "kubernetes" / "keda-role.sql"


@pytest.fixture
async def owner(fresh_database: DatabaseAddresses) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(fresh_database.admin_url)
    await connection.execute(ROLE.read_text())
    yield connection
    await connection.execute("DROP OWNED BY sightline_keda; DROP ROLE sightline_keda")
    await connection.close()


async def counted(owner: asyncpg.Connection, query: str) -> int:
    """By the role that the file creates, as a session of its own would be."""
    async with owner.transaction():
        await owner.execute("SET LOCAL ROLE sightline_keda; SET LOCAL transaction_read_only = on")
        [row] = await owner.fetch(query)
        return int(row[0])


async def enqueue(owner: asyncpg.Connection, job_type: str, **columns: object) -> str:
    names = ["job_type", "payload", *columns]
    values = [job_type, json.dumps({}), *columns.values()]
    places = ", ".join(f"${number}" for number in range(1, len(values) + 1))
    return str(await owner.fetchval(f"INSERT INTO jobs ({', '.join(names)}) VALUES ({places}) RETURNING id", *values))


@pytest.mark.req(1017)
async def test_jobs_that_run_or_could_run_are_counted_and_no_others(owner: asyncpg.Connection):
    query = jobs_query(("transcode", "sample"))
    assert await counted(owner, query) == 0
    first = await enqueue(owner, "transcode")
    await enqueue(owner, "ocr")  # of other workers
    assert await counted(owner, query) == 1
    later = await enqueue(owner, "sample", depends_on=first)
    assert await counted(owner, query) == 1, "nobody could take it yet"
    await owner.execute("UPDATE jobs SET status = 'processing' WHERE id = $1", first)
    assert await counted(owner, query) == 1, "its worker must stay"
    await owner.execute("UPDATE jobs SET status = 'done' WHERE id = $1", first)
    assert await counted(owner, query) == 1
    await owner.execute("UPDATE jobs SET run_after = now() + interval '1 hour' WHERE id = $1", later)
    assert await counted(owner, query) == 0
    await owner.execute("UPDATE jobs SET run_after = now() - interval '1 second' WHERE id = $1", later)
    assert await counted(owner, query) == 1
    for status in ("processing", "failed"):
        await owner.execute("UPDATE jobs SET status = $2::job_status, retry_count = 3 WHERE id = $1", later, status)
    assert await counted(owner, query) == 0


@pytest.mark.req(1017)
async def test_messages_that_could_be_received_are_counted_and_no_dead_letters_nor_those_of_clients(
    owner: asyncpg.Connection,
):
    for name, is_dead, is_declared in (("work", False, True), ("work-dlq", True, True), ("of-a-client", False, False)):
        await owner.execute(
            "INSERT INTO sightline.bus_queues (name, is_dead_letter, is_declared, retention_s) VALUES ($1, $2, $3, 60)",
            *(name, is_dead, is_declared),
        )
        await owner.execute(
            "INSERT INTO sightline.bus_messages (queue_id, message_id, body) "
            "SELECT id, gen_random_uuid(), 'x' FROM sightline.bus_queues, generate_series(1, 3) WHERE name = $1",
            name,
        )
    assert await counted(owner, messages_query()) == 3
    # One is received, one waits for its retry.
    await owner.execute("UPDATE sightline.bus_messages SET visible_at = now() + interval '1 hour' WHERE seq = 1")
    await owner.execute("UPDATE sightline.bus_messages SET parked_until = now() + interval '1 hour' WHERE seq = 2")
    assert await counted(owner, messages_query()) == 1


@pytest.mark.req(1017)
async def test_the_login_of_the_scaler_reads_no_payload_and_changes_nothing(owner: asyncpg.Connection):
    for statement in (
        "SELECT payload FROM jobs",
        "SELECT body FROM sightline.bus_messages",
        "SELECT * FROM videos",
        "UPDATE jobs SET priority = 1",
        "DELETE FROM sightline.bus_messages",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with owner.transaction():
                await owner.execute(f"SET LOCAL ROLE sightline_keda; {statement}")
