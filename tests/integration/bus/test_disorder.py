"""Delivered twice, out of order, to many at once: an idempotent handler ends in the same place."""

import asyncio
import os

import asyncpg
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.bus import Consumer, ConsumerOptions, Delivery, Names, PostgresBus, Queue, QueueMessage, Topology
from sightline.db import Listener, open_database
from sightline.errors import TransientFailure
from sightline.timing import Backoff
from support.postgres import ADMIN_URL_VARIABLE, SERVICE_URL_VARIABLE, TEMPLATE, patient_settings, with_database
from support.waiting import until

TOPOLOGY = Topology(topics=(), queues=(Queue("work", visibility_s=600, wait_s=0, max_receives=50),))


@settings(max_examples=40 if os.environ.get("SIGHTLINETEST_SOAK") else 6)
@given(
    order=st.permutations(range(12)),
    doubled=st.lists(st.integers(0, 11), max_size=8),
    failing=st.dictionaries(st.integers(0, 11), st.integers(1, 3), max_size=5),
    consumers=st.integers(1, 3),
)
def test_duplicates_disorder_and_failures_end_in_the_same_rows(order, doubled, failing, consumers):
    asyncio.run(_try(list(order) + doubled, dict(failing), consumers))


async def _try(sent: list[int], failing: dict[int, int], consumers: int) -> None:
    admin = await asyncpg.connect(os.environ[ADMIN_URL_VARIABLE])
    name = f"disorder_{os.getpid()}"
    await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
    own = await asyncpg.connect(with_database(os.environ[ADMIN_URL_VARIABLE], name))
    await own.execute(
        "CREATE TABLE effects (what int PRIMARY KEY, times int); GRANT ALL ON effects TO sightline_worker"
    )
    await own.close()
    url = with_database(os.environ[SERVICE_URL_VARIABLE], name)
    database = await open_database(patient_settings(), url)
    listener = Listener(url)
    bus = PostgresBus(database, listener, TOPOLOGY, Names())
    await bus.create()

    async def handler(delivery: Delivery) -> None:
        number = int(delivery.received.body)
        async with delivery.transaction() as tx:
            await tx.execute("INSERT INTO effects VALUES ($1, 1) ON CONFLICT (what) DO NOTHING", number)
            if failing.get(number, 0) > 0:
                failing[number] -= 1
                raise TransientFailure("not this time")

    options = ConsumerOptions(concurrency=3, wait_s=1, backoff=Backoff(first_s=0.001, max_s=0.002))
    stop = asyncio.Event()
    running = [
        asyncio.create_task(
            Consumer("work", queues=bus, database=database, handler=handler, options=options).run(stop, lambda: None)
        )
        for _ in range(consumers)
    ]
    running.append(asyncio.create_task(listener.run(stop, lambda: None)))
    async with database.transaction() as tx:
        await bus.send(tx, "work", *(QueueMessage(str(number)) for number in sent))

    async def is_done() -> bool:
        async with database.transaction() as tx:
            return await tx.fetchval("SELECT count(*) FROM sightline.bus_messages") == 0

    await until(is_done)
    stop.set()
    await asyncio.gather(*running)
    async with database.transaction() as tx:
        found = [row["what"] for row in await tx.fetch("SELECT what FROM effects WHERE times = 1 ORDER BY what")]
    database.terminate()
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()
    assert found == list(range(12))
