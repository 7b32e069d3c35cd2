"""Killed half-way: messages, counts and effects after kill −9 of a consumer and of the whole database."""

import asyncio
import random
import signal
import sys
from pathlib import Path

import psutil
import pytest

from sightline.bus import Names, PostgresBus, Queue, QueueMessage, Topology
from sightline.db import DatabaseSettings, EmbeddedPostgres, Listener, migrate, open_database
from support.integration_bus import effects, send, table_of_effects
from support.waiting import until

CONSUMER = """
import asyncio, sys
from sightline.bus import *
from sightline.db import *

async def main(url):
    database = await open_database(DatabaseSettings(), url)
    listener = Listener(url)
    topology = Topology(topics=("news",), queues=(Queue("work", visibility_s=1, wait_s=0, max_receives=100),))
    bus = PostgresBus(database, listener, topology, Names())
    await bus.create()

    async def handler(tx, batch):
        for one in batch:
            await tx.execute("INSERT INTO effects VALUES ($1)", one.received.body)
            print("at work", flush=True)
            await asyncio.sleep(0.002)  # work that takes a while, so that there is a middle to be killed in

    asyncio.create_task(listener.run(asyncio.Event(), lambda: None))
    consumer = Consumer("work", queues=bus, database=database, batch_handler=handler,
                        options=ConsumerOptions(batch=10, concurrency=2, wait_s=1))
    await consumer.run(asyncio.Event(), lambda: None)

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.req(302)
@pytest.mark.req(303)
async def test_a_consumer_killed_mid_batch_again_and_again_loses_and_doubles_nothing(open_bus, fresh_database):
    use = await open_bus(
        Topology(topics=("news",), queues=(Queue("work", visibility_s=1, wait_s=0, max_receives=100),))
    )
    await table_of_effects(use)
    wanted = [f"{number:04}" for number in range(250)]
    await send(use, "work", *wanted)
    chance = random.Random(7)

    async def is_done() -> bool:
        return await use.counts("work") == (0, 0, 0)

    kills = 0
    while not await is_done():
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CONSUMER, fresh_database.url, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 60)):
            reading = asyncio.ensure_future(process.stdout.readline())
            finishing = asyncio.ensure_future(until(is_done, within_s=60))
            await asyncio.wait((reading, finishing), return_when=asyncio.FIRST_COMPLETED)
            finishing.cancel()
            reading.cancel()
            if await is_done():
                break
        process.kill()
        await process.wait()
        kills += 1
    assert kills > 2
    assert await effects(use) == wanted


@pytest.mark.req(178)
async def test_queues_messages_and_receive_counts_survive_a_kill_of_the_database(tmp_path: Path):
    topology = Topology(topics=(), queues=(Queue("work", visibility_s=30, wait_s=0),))
    directory = tmp_path / "postgres"
    for is_second in (False, True):
        postgres = EmbeddedPostgres(directory)
        stop, ready = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(postgres.run(stop, ready.set))
        await asyncio.wait_for(ready.wait(), 60)
        await migrate(postgres.admin_url)
        database = await open_database(DatabaseSettings(), postgres.url)
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
            for process in tree:
                process.send_signal(signal.SIGKILL)
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
