"""Connections for single statements of queues: how many there are, and what becomes of one after an error."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from sightline.db import Database
from sightline.errors import BackendUnavailable
from support.postgres import DatabaseAddresses
from support.waiting import soon, until

PID = "SELECT pg_backend_pid()"
SLEEPING = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"


@pytest.fixture
async def admin(fresh_database: DatabaseAddresses) -> AsyncIterator[asyncpg.Connection]:
    """Sees the statements of others, and may end them."""
    connection = await asyncpg.connect(fresh_database.admin_url)
    yield connection
    await connection.close()


async def pid_of_a_statement(database: Database, sql: str = PID) -> int:
    async with database.statement() as tx:
        found: int = await tx.fetchval(sql)
    return found


@pytest.mark.req(832)
async def test_three_statements_run_at_a_time_and_others_wait_for_them(database: Database):
    slow = "SELECT pg_backend_pid() FROM pg_sleep(0.05)"
    pids = await soon(asyncio.gather(*(pid_of_a_statement(database, slow) for _ in range(12))))
    assert len(set(pids)) == 3


@pytest.mark.req(832)
async def test_a_refused_statement_keeps_its_connection(database: Database):
    first = await pid_of_a_statement(database)
    with pytest.raises(asyncpg.DivisionByZeroError):
        await pid_of_a_statement(database, "SELECT 1 / 0")
    assert await pid_of_a_statement(database) == first


@pytest.mark.req(832)
async def test_a_cancelled_statement_loses_its_connection_and_not_its_place(
    database: Database, admin: asyncpg.Connection
):
    async def wait_for_ever() -> None:
        await pid_of_a_statement(database, "SELECT pg_backend_pid() FROM pg_sleep(3600)")

    waiting = [asyncio.create_task(wait_for_ever()) for _ in range(3)]
    behind = asyncio.create_task(pid_of_a_statement(database))

    async def all_run() -> bool:
        return bool(await admin.fetchval(f"SELECT count(*) = 3 {SLEEPING}"))

    await until(all_run)
    assert not behind.done()
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert await soon(behind)
    assert await soon(pid_of_a_statement(database))


@pytest.mark.req(832)
async def test_a_connection_that_the_server_ended_is_replaced(database: Database, admin: asyncpg.Connection):
    first = await pid_of_a_statement(database)
    waiting = asyncio.create_task(pid_of_a_statement(database, "SELECT 1 FROM pg_sleep(3600)"))

    async def is_ended() -> bool:
        return bool(await admin.fetchval(f"SELECT pg_terminate_backend(pid) {SLEEPING} AND pid = $1", first))

    await until(is_ended)
    with pytest.raises(BackendUnavailable):
        await soon(waiting)
    assert await soon(pid_of_a_statement(database)) != first
