"""`sightline api` as a process of its own, to be stopped and killed."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import httpx

from support.command_server import CommandProcess, start_command
from support.postgres import PATIENT_ENVIRONMENT
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
            **PATIENT_ENVIRONMENT,
            **settings,
        }
        self.process: CommandProcess | None = None

    async def start(self) -> None:
        self.process = await start_command(
            "api", "--port", str(self.port), environment=self._environment, is_piped=False
        )
        async with httpx.AsyncClient(timeout=300) as client:
            await until(partial(self._answers, client))

    async def kill(self) -> None:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def _answers(self, client: httpx.AsyncClient) -> bool:
        try:
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
