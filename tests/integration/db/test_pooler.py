"""Behind a pooler in transaction mode: every transaction may run on another server connection."""

import asyncio
import uuid
from contextlib import AsyncExitStack

import asyncpg
import pytest

from sightline.contracts import Caller
from sightline.db import migrate, open_database
from support.postgres import DatabaseAddresses, patient_settings
from support.shared_pooler import SharedPooler
from support.transaction_pooler import TransactionPooler

ME = uuid.UUID(int=5)


async def test_the_pooler_of_these_tests_does_break_sessions(fresh_database: DatabaseAddresses):
    pooler = TransactionPooler(fresh_database.admin_url)
    async with pooler.serving() as url:
        connection = await asyncpg.connect(url, statement_cache_size=0)
        await connection.execute("SET application_name = 'mine'")
        async with connection.transaction():
            assert await connection.fetchval("SELECT current_setting('application_name')") != "mine"
        connection.terminate()
    assert pooler.switches >= 2


async def test_transactions_of_both_kinds_work_through_it(fresh_database: DatabaseAddresses):
    pooler = TransactionPooler(fresh_database.url)
    async with pooler.serving() as url:
        database = await open_database(patient_settings(pooler="transaction", pool_max=3), url)

        async def one(number: int) -> int:
            async with database.transaction() as tx:
                await tx.execute("INSERT INTO videos (owner_id, name) VALUES ($1, $2)", ME, str(number))
            async with database.as_caller(Caller(ME).claims()) as tx:
                assert await tx.fetchval("SELECT current_user") == "sightline_user"
                return len(await tx.fetch("SELECT id FROM videos WHERE name = $1", str(number)))

        assert await asyncio.gather(*(one(number) for number in range(30))) == [1] * 30
        async with database.transaction() as tx:
            assert await tx.fetchval("SELECT current_user") == "sightline_worker"
            assert await tx.fetchval("SELECT $1::jsonb", {"a": 1}) == {"a": 1}
        database.terminate()
    assert pooler.switches > 60


async def test_migrations_run_through_it(empty_database: DatabaseAddresses):
    async with TransactionPooler(empty_database.admin_url).serving() as url:
        applied = await asyncio.gather(*(migrate(url) for _ in range(3)))
    assert sum(len(one) for one in applied) > 0


@pytest.mark.req(1034)
async def test_many_processes_share_a_few_server_connections(fresh_database: DatabaseAddresses):
    pooler = SharedPooler(fresh_database.url, servers=2)
    async with pooler.serving() as url, AsyncExitStack() as stack:
        databases = [await open_database(patient_settings(pooler="transaction", pool_max=4), url) for _ in range(3)]
        for database in databases:
            stack.callback(database.terminate)

        async def one(number: int) -> int:
            async with databases[number % 3].transaction(by_index=True) as tx:
                await tx.execute("INSERT INTO videos (owner_id, name) VALUES ($1, $2)", ME, str(number))
            async with databases[number % 3].statement() as tx:
                return int(await tx.fetchval("SELECT count(*) FROM videos WHERE name = $1", str(number)))

        assert await asyncio.gather(*(one(number) for number in range(40))) == [1] * 40
        assert pooler.clients_at_once > 2
        for _ in range(3):  # more than there are servers: a cancelled statement gives its server back
            with pytest.raises(TimeoutError):
                async with databases[0].transaction() as tx, asyncio.timeout(0.1):
                    await tx.execute("SELECT pg_sleep(600)")
        assert await one(40) == 1
