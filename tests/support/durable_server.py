"""A PostgreSQL that is durable, and that long runs restart and kill."""

import asyncio
import signal
from pathlib import Path

import psutil

from sightline.db import EmbeddedPostgres


class Server:
    """A PostgreSQL of this test's own, with everything that makes it durable."""

    def __init__(self, directory: Path, **settings: str) -> None:
        self.directory = directory
        self._settings = settings
        self.postgres = EmbeddedPostgres(directory, extra_settings=settings)
        self._stop = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.postgres = EmbeddedPostgres(self.directory, extra_settings=self._settings)
        self._stop, ready = asyncio.Event(), asyncio.Event()
        self._running = asyncio.create_task(self.postgres.run(self._stop, ready.set))
        await asyncio.wait_for(ready.wait(), 120)

    async def stop(self) -> None:
        assert self._running is not None
        self._stop.set()
        await self._running

    async def kill(self) -> None:
        assert self._running is not None
        parent = psutil.Process(int((self.directory / "data/postmaster.pid").read_text().splitlines()[0]))
        for process in [parent, *parent.children(recursive=True)]:
            process.send_signal(signal.SIGKILL)
        await asyncio.gather(self._running, return_exceptions=True)
