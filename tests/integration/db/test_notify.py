"""LISTEN/NOTIFY: heard while connected, woken after a gap."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from sightline.db import Database, Listener
from sightline.timing import Backoff
from support.postgres import DatabaseAddresses
from support.waiting import soon, until


@asynccontextmanager
async def _running(url: str) -> AsyncIterator[Listener]:
    listener = Listener(url, backoff=Backoff(first_s=0.01, max_s=0.05))
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(listener.run(stop, ready.set))
    await soon(ready.wait())
    try:
        yield listener
    finally:
        stop.set()
        await soon(task)


async def _say(database: Database, channel: str, word: str) -> None:
    async with database.transaction() as tx:
        await tx.execute("SELECT pg_notify($1, $2)", channel, word)


async def test_what_is_committed_is_heard_and_what_is_rolled_back_is_not(
    fresh_database: DatabaseAddresses, database: Database
):
    heard: list[str] = []
    async with _running(fresh_database.url) as listener:
        with listener.subscribe("news", heard.append):
            await until(lambda: heard == [""])  # subscribed; whatever came before is for the subscriber to look up
            try:
                async with database.transaction() as tx:
                    await tx.execute("SELECT pg_notify('news', 'never')")
                    raise LookupError
            except LookupError:
                pass
            await _say(database, "news", "first")
            await until(lambda: heard == ["", "first"])


async def test_after_a_lost_connection_every_subscriber_is_woken(fresh_database: DatabaseAddresses, database: Database):
    heard: list[str] = []
    async with _running(fresh_database.url) as listener:
        with listener.subscribe("news", heard.append):
            await until(lambda: heard == [""])
            admin = await asyncpg.connect(fresh_database.admin_url)
            ended = await admin.fetch(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            )
            await admin.close()
            assert len(ended) == 1
            await until(lambda: heard == ["", ""])
            await _say(database, "news", "again")
            await until(lambda: heard[-1] == "again")


async def test_a_subscriber_that_left_hears_nothing_more(fresh_database: DatabaseAddresses, database: Database):
    left: list[str] = []
    stayed: list[str] = []
    async with _running(fresh_database.url) as listener:
        with listener.subscribe("news", stayed.append):
            with listener.subscribe("news", left.append):
                await until(lambda: stayed == [""])
                await _say(database, "news", "one")
                await until(lambda: "one" in stayed)
            await _say(database, "news", "two")
            await until(lambda: "two" in stayed)
    assert "two" not in left


async def test_it_keeps_trying_while_the_server_is_away():
    listener = Listener("postgresql://x@127.0.0.1:1/none", backoff=Backoff(first_s=0.01, max_s=0.02))
    stop = asyncio.Event()
    task = asyncio.create_task(listener.run(stop, lambda: None))
    await asyncio.sleep(0)
    assert not listener.is_connected
    stop.set()
    await soon(task)
