"""`sightline up` as a process tree of its own, and other commands beside it."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import psutil

from support.command_server import CommandProcess, start_command
from support.postgres import PATIENT_ENVIRONMENT
from support.scratch import made_once
from support.waiting import soon

Process = asyncio.subprocess.Process | CommandProcess

_START_LIMIT_S = 60.0


class Up:
    """A platform started by the command."""

    def __init__(self, process: Process, output: bytes) -> None:
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
    # Transcribing takes seconds of CPU for each video, as does reading with the default engine, and hits by meaning follow those by
    # words; the tests of these ask for them.
    return kept | {
        "SIGHTLINE_OBSERVABILITY_LOG_LEVEL": "warning",
        "SIGHTLINE_TEXT_ENGINE": "tesseract",
        "SIGHTLINE_SPEECH_TRANSCRIBE": "never",
        "SIGHTLINE_MEANING_EMBED": "never",
        **PATIENT_ENVIRONMENT,
    }


async def sightline(*arguments: str, **more: str) -> CommandProcess:
    return await start_command(*arguments, environment=environment() | more)


async def ask(*arguments: str, answer: str = "", within_s: float = 60, **more: str) -> tuple[int, str, str]:
    """How the command ended and what it printed; `answer` is what a person types."""
    process = await sightline(*arguments, **more)
    out, err = await soon(process.communicate(answer.encode()), within_s=within_s)
    return process.returncode or 0, out.decode(), err.decode()


async def prepare(state: Path) -> None:
    """Copies a state directory that the platform made once in this run. To make one takes longer than all the rest of a start."""
    if state.exists():  # noqa: ASYNC240
        return
    state.parent.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        prepared, is_there = await asyncio.to_thread(stack.enter_context, made_once("prepared-state"))
        if not is_there:
            made = prepared.with_suffix(".partial")
            code, _, err = await ask("migrate", "--state-dir", str(made))
            assert code == 0, err
            made.rename(prepared)
    copying = await asyncio.create_subprocess_exec("cp", "-a", prepared, state)
    assert await copying.wait() == 0


@asynccontextmanager
async def up(state: Path, *arguments: str, **more: str) -> AsyncIterator[Up]:
    """A platform that runs; killed at the end of the block, unless it was stopped there."""
    await prepare(state)
    process = await sightline(*_up_on(state), *arguments, **more)
    async with _running(process) as running:
        yield running


@asynccontextmanager
async def up_from_a_shell(state: Path) -> AsyncIterator[Up]:
    """The same as a person starts it: with an interpreter of its own, and on a new state directory if there is none."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", *_up_on(state)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    async with _running(process) as running:
        yield running


def _up_on(state: Path) -> tuple[str, ...]:
    return ("up", "--state-dir", str(state), "--port", "0")


@asynccontextmanager
async def _running(process: Process) -> AsyncIterator[Up]:
    assert process.stdout is not None
    assert process.stderr is not None
    # Read all the time: a platform that has much to say must not wait for a reader.
    errors = asyncio.create_task(process.stderr.read())
    try:
        output = await soon(_read_greeting(process.stdout), within_s=_START_LIMIT_S)
        assert b"sightline status" in output, (output + await errors).decode()
        yield Up(process, output)
    finally:
        if process.returncode is None:
            with suppress(psutil.NoSuchProcess):
                kill([psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)])
        await process.wait()
        errors.cancel()
        if isinstance(process, CommandProcess):
            process.close()


async def _read_greeting(stdout: asyncio.StreamReader) -> bytes:
    output = b""
    while b"sightline status" not in output and (line := await stdout.readline()):
        output += line
    return output


def kill(processes: list[psutil.Process]) -> None:
    """All of them, the parent first, so that nothing gets the chance to end in good order."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # children of a killed server go by themselves
            process.kill()


async def database_url(state: Path) -> str:
    code, out, err = await ask("db", "--state-dir", str(state))
    assert code == 0, err
    return out.strip()
