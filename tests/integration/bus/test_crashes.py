"""Killed half-way: messages, counts and effects after kill −9 of a consumer and of the whole database."""

import asyncio
import random
from pathlib import Path

import psutil
import pytest

from sightline.bus import Names, PostgresBus, Queue, QueueMessage, Topology
from sightline.db import EmbeddedPostgres, Listener, migrate, open_database
from support import consumer_process
from support.forks import forks_of
from support.integration_bus import effects, send, table_of_effects
from support.platform_process import kill
from support.postgres import patient_settings
from support.waiting import soon, until


@pytest.mark.req(302, 303)
async def test_a_consumer_killed_mid_batch_again_and_again_loses_and_doubles_nothing(open_bus, fresh_database):
    use = await open_bus(consumer_process.TOPOLOGY)
    await table_of_effects(use)
    wanted = [f"{number:04}" for number in range(250)]
    await send(use, "work", *wanted)
    chance = random.Random(7)

    async def is_done() -> bool:
        return await use.counts("work") == (0, 0, 0)

    with forks_of(consumer_process.__name__) as forks:
        for _ in range(6):
            messages = chance.randrange(1, 30)  # all six together leave some for the last
            consumer = await forks.start(fresh_database.url, str(messages))
            for _ in range(messages):
                assert await forks.heard_from(consumer) == "at work"
            await forks.kill(consumer)
            await _let_time_pass(use)
        assert not await is_done()
        await forks.start(fresh_database.url, "")
        await until(is_done)
    assert await effects(use) == wanted


async def _let_time_pass(use) -> None:
    """As if the visibility of all that was received had ended."""
    async with use.database.transaction() as tx:
        await tx.execute("UPDATE sightline.bus_messages SET visible_at = now()")


@pytest.mark.req(178)
async def test_queues_messages_and_receive_counts_survive_a_kill_of_the_database(tmp_path: Path):
    topology = Topology(topics=(), queues=(Queue("work", visibility_s=600, wait_s=0),))
    directory = tmp_path / "postgres"
    for is_second in (False, True):
        postgres = EmbeddedPostgres(directory)
        stop, ready = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(postgres.run(stop, ready.set))
        await soon(ready.wait(), within_s=60)
        await migrate(postgres.admin_url)
        database = await open_database(patient_settings(), postgres.url)
        bus = PostgresBus(database, Listener(postgres.url), topology, Names())
        await bus.create()
        if not is_second:
            async with database.transaction() as tx:
                await bus.send(
                    tx, "work", QueueMessage("kept"), QueueMessage("received"), QueueMessage("delayed", delay_s=600)
                )
            await bus.receive("work", wait_s=0)
            parent = psutil.Process(int((directory / "data/postmaster.pid").read_text().splitlines()[0]))
            tree = [parent, *parent.children(recursive=True)]
            kill(tree)
            database.terminate()
            await asyncio.gather(running, return_exceptions=True)
            continue
        (counts,) = [one for one in await bus.counts() if one.queue == "work"]
        assert (counts.visible, counts.in_flight, counts.delayed) == (1, 1, 1)
        async with database.transaction() as tx:
            assert await tx.fetchval("SELECT max(receive_count) FROM sightline.bus_messages") == 1
        database.terminate()
        stop.set()
        await running
