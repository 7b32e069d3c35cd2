"""A bus of the test's own on the PostgreSQL backend."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from sightline.bus import Consumer, Names, PostgresBus, Queue, Subscription, Topology
from sightline.db import Database, Listener
from support.postgres import DatabaseAddresses
from support.services import listening, running
from support.sqs_rig import SqsRig

TOPOLOGY = Topology(
    topics=("news",),
    queues=(Queue("work", visibility_s=600, wait_s=0), Queue("other", visibility_s=600, wait_s=0, max_receives=None)),
    subscriptions=(Subscription("news", "work"),),
)


@dataclass
class BusInUse:
    bus: PostgresBus
    database: Database
    listener: Listener
    admin_url: str

    @asynccontextmanager
    async def consuming(self, consumer: Consumer) -> AsyncIterator[Consumer]:
        """The consumer at work while the block runs; stopped as a supervisor would stop it."""
        async with running(consumer):
            yield consumer

    async def counts(self, queue: str) -> tuple[int, int, int]:
        for counts in await self.bus.counts():
            if counts.queue == queue:
                return counts.visible, counts.in_flight, counts.delayed
        raise LookupError(queue)


@pytest.fixture
async def open_bus(
    fresh_database: DatabaseAddresses, database: Database
) -> AsyncIterator[Callable[[Topology], "asyncio.Future[BusInUse]"]]:
    async with listening(fresh_database.url) as listener:

        async def make(topology: Topology) -> BusInUse:
            bus = PostgresBus(database, listener, topology, Names())
            await bus.create()
            return BusInUse(bus, database, listener, fresh_database.admin_url)

        yield lambda topology: asyncio.ensure_future(make(topology))


@pytest.fixture
async def use(open_bus) -> BusInUse:
    found: BusInUse = await open_bus(TOPOLOGY)
    return found


@pytest.fixture
async def sqs(use: BusInUse) -> SqsRig:
    return SqsRig.of(use.bus, use.database)
