"""`sightline up` as a process tree of its own, and other commands beside it."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil


class Up:
    """A platform started by the command."""

    def __init__(self, process: asyncio.subprocess.Process, output: bytes) -> None:
        self.process = process
        self.greeting = output.decode()
        found = re.search(r"Address\s+(http://\S+)", self.greeting)
        assert found is not None
        self.address = found[1]

    def tree(self) -> list[psutil.Process]:
        parent = psutil.Process(self.process.pid)
        return [parent, *parent.children(recursive=True)]


def environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return kept | {"SIGHTLINE_OBSERVABILITY_LOG_LEVEL": "warning"}


async def sightline(*arguments: str, **more: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment() | more,
        start_new_session=True,
    )


async def ask(*arguments: str, within_s: float = 60, **more: str) -> tuple[int, str, str]:
    process = await sightline(*arguments, **more)
    out, err = await asyncio.wait_for(process.communicate(), within_s)
    return process.returncode or 0, out.decode(), err.decode()


@asynccontextmanager
async def up(state: Path, *arguments: str, **more: str) -> AsyncIterator[Up]:
    process = await sightline("up", "--state-dir", str(state), "--port", "0", *arguments, **more)
    assert process.stdout is not None
    assert process.stderr is not None
    output = b""
    try:
        while b"sightline status" not in output:
            line = await asyncio.wait_for(process.stdout.readline(), 60)
            assert line, (output + await process.stderr.read()).decode()
            output += line
        yield Up(process, output)
    finally:
        if process.returncode is None:
            with suppress(psutil.NoSuchProcess):
                kill([psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)])
        await process.wait()


def kill(processes: list[psutil.Process]) -> None:
    """All of them, the parent first, so that nothing gets the chance to end in good order."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # children of a killed server go by themselves
            process.kill()


async def database_url(state: Path) -> str:
    code, out, err = await ask("db", "--state-dir", str(state))
    assert code == 0, err
    return out.strip()
