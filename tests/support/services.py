"""Services of the platform while a block runs: started until ready, stopped as a supervisor stops them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.db import Listener
from sightline.supervisor import Service
from support.waiting import soon


@asynccontextmanager
async def running(*services: Service) -> AsyncIterator[None]:
    stop = asyncio.Event()
    tasks = []
    for service in services:
        ready = asyncio.Event()
        tasks.append(asyncio.create_task(service.run(stop, ready.set)))
        await soon(ready.wait())
    try:
        yield
    finally:
        stop.set()
        await soon(asyncio.gather(*tasks))


@asynccontextmanager
async def listening(url: str) -> AsyncIterator[Listener]:
    """A listener for the notifications of the database."""
    listener = Listener(url)
    async with running(listener):
        yield listener
