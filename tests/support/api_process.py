"""`sightline api` as a process of its own, to be stopped and killed."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from support.waiting import until


class ApiProcess:
    def __init__(self, url: str, state: str, **settings: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
        self._environment = kept | {
            "SIGHTLINE_DATABASE_URL": url,
            "SIGHTLINE_STATE_DIR": state,
            "SIGHTLINE_OBSERVABILITY_LOG_LEVEL": "warning",
            "SIGHTLINE_LIVE_CONNECTS_PER_MINUTE": "0",
            **settings,
        }
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sightline", "api", "--port", str(self.port)), env=self._environment
        )
        await until(self._answers)

    async def kill(self) -> None:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def _answers(self) -> bool:
        try:
            async with httpx.AsyncClient(timeout=60) as client:
                return (await client.get(f"http://127.0.0.1:{self.port}/api/health")).status_code == 200
        except httpx.HTTPError:
            return False


@asynccontextmanager
async def api_processes(url: str, state: str, count: int, **settings: str) -> AsyncIterator[list[ApiProcess]]:
    made = [ApiProcess(url, state, **settings) for _ in range(count)]
    try:
        await asyncio.gather(*(one.start() for one in made))
        yield made
    finally:
        await asyncio.gather(*(one.kill() for one in made if one.process is not None))
