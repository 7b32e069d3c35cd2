"""Clients of queues as a process of its own, to be killed half-way (see `forks`): they send and receive as fast as they can."""

import asyncio
from collections.abc import Callable
from uuid import UUID

from sightline.bus import (
    Account,
    BusSettings,
    ClientQueues,
    Names,
    NewQueueMessage,
    PostgresBus,
    StoredMessage,
    Topology,
)
from sightline.db import Listener, open_database
from support.postgres import patient_settings

ACCOUNT = Account("111111111111", UUID(int=1))
GROUPS = 4


async def main(url: str, role: str, run: str, say: Callable[[str], None]) -> None:
    """`send` says `sent RUN-GROUP-NUMBER` after each accepted batch; `receive` writes what it got into the table `effects`, says
    so, and deletes the messages then."""
    database = await open_database(patient_settings(pool_min=1), url)
    listener = Listener(url)
    bus = PostgresBus(database, listener, Topology(topics=(), queues=()), Names())
    await bus.create()
    queues = ClientQueues(bus, database, BusSettings())
    queue = await queues.control.find(ACCOUNT, "jobs.fifo")

    async def send(group: int) -> None:
        for batch in range(10_000):
            bodies = [f"{run}-{group}-{batch * 10 + number:06}" for number in range(10)]
            messages = [NewQueueMessage(one, group_id=str(group), deduplication_id=one) for one in bodies]
            await queues.messages.send(queue, messages)
            say(f"sent {bodies[-1]}")

    async def receive() -> None:
        while True:
            found = await queues.messages.receive(queue, limit=10, wait_s=20, visibility_s=600)
            stored = [one for one in found if isinstance(one, StoredMessage)]
            async with database.transaction() as tx:
                await tx.executemany("INSERT INTO effects (body) VALUES ($1)", [(one.body,) for one in stored])
            say(f"got {len(stored)}")
            await queues.messages.delete(queue, [one.receipt for one in stored])

    work = [send(group) for group in range(GROUPS)] if role == "send" else [receive() for _ in range(GROUPS)]
    await asyncio.gather(listener.run(asyncio.Event(), lambda: None), *work)
