"""The AWS backend on an emulator, with a relay at work, for the suites."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.bus import Topology
from sightline.bus.aws import AwsBus, open_aws_bus, outbox
from sightline.db import Database, Listener
from sightline.supervisor import Service
from sightline.timing import Backoff
from support.emulators import Emulator
from support.postgres import DatabaseAddresses
from support.waiting import soon, until


class AwsBackend:
    def __init__(self, database: Database, addresses: DatabaseAddresses, emulator: Emulator) -> None:
        self.database = database
        self._url = addresses.url
        self._settings = emulator.settings()

    @asynccontextmanager
    async def open(self, topology: Topology) -> AsyncIterator[AwsBus]:
        listener = Listener(self._url)
        async with (
            open_aws_bus(self._settings, topology, self.database) as bus,
            serving(listener),
            serving(bus.relay(listener, backoff=Backoff(first_s=0.2, max_s=0.5)).service()),
        ):
            yield bus

    async def settle(self) -> None:
        async def is_empty() -> bool:
            async with self.database.transaction() as tx:
                found = await outbox.measure(tx)
            assert found.failed == 0
            return found.pending == 0

        await until(is_empty)


@asynccontextmanager
async def serving(service: Service) -> AsyncIterator[None]:
    """The service runs while the block does; stopped as a supervisor would stop it."""
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(service.run(stop, ready.set))
    try:
        await soon(ready.wait())
        yield
    finally:
        stop.set()
        await soon(task)
