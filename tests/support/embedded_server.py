"""An embedded PostgreSQL of a test's own, on a directory of its choice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sightline.db import EmbeddedPostgres
from support.waiting import until


@asynccontextmanager
async def running_server(directory: Path) -> AsyncIterator[EmbeddedPostgres]:
    async with keep_running(EmbeddedPostgres(directory)) as postgres:
        yield postgres


@asynccontextmanager
async def keep_running(postgres: EmbeddedPostgres) -> AsyncIterator[EmbeddedPostgres]:
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(postgres.run(stop, ready.set))
    await until(lambda: ready.is_set() or task.done(), within_s=120)
    if task.done():
        await task
    try:
        yield postgres
    finally:
        stop.set()
        await asyncio.gather(task, return_exceptions=True)
