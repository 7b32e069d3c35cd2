"""A consumer of batches as a process of its own, to be killed half-way (see `forks`)."""

import asyncio
from collections.abc import Callable, Sequence

from sightline.bus import Consumer, ConsumerOptions, Delivery, Names, PostgresBus, Queue, Topology
from sightline.db import Listener, Transaction, open_database
from support.postgres import patient_settings

TOPOLOGY = Topology(topics=(), queues=(Queue("work", visibility_s=600, wait_s=0, max_receives=100),))


async def main(url: str, hangs_after: str, say: Callable[[str], None]) -> None:
    """Hangs in the middle of a batch after so many messages, as many as there are if it is empty, and waits to be killed."""
    left = int(hangs_after or "-1")
    database = await open_database(patient_settings(pool_min=1), url)
    listener = Listener(url)
    bus = PostgresBus(database, listener, TOPOLOGY, Names())
    await bus.create()

    async def handler(tx: Transaction, batch: Sequence[Delivery]) -> None:
        nonlocal left
        for one in batch:
            if left == 0:
                await asyncio.Event().wait()
            left -= 1
            await tx.execute("INSERT INTO effects VALUES ($1)", one.received.body)
            say("at work")

    never = asyncio.Event()
    options = ConsumerOptions(batch=10, concurrency=2, wait_s=1)
    consumer = Consumer("work", queues=bus, database=database, batch_handler=handler, options=options)
    await asyncio.gather(listener.run(never, lambda: None), consumer.run(never, lambda: None))
