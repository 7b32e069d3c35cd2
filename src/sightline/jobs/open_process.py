"""A child process that stays: takes messages and sends messages until it is closed, with the limits and the sandbox of other
children.

For work that goes on, such as reading a camera; `run_in_process` is for work with one result.
"""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sightline.errors import TransientFailure
from sightline.jobs.confinement import Sandbox
from sightline.jobs.fork_server import Handle, fork_server_context
from sightline.jobs.process import (
    confine_child,
    detach_child,
    end_child,
    exit_error,
    prepare_sandbox,
    private_directory,
    start_and_close,
    stream_of,
)
from sightline.jobs.process_channel import ChildChannel, ParentChannel, ProcessMessage
from sightline.jobs.process_limits import ProcessLimits, limit_behind

LongWork = Callable[[dict[str, Any], ChildChannel], None]
"""A function at module level: takes an argument as JSON and the channel to its parent, and works until either ends."""
FAILED = "failed"
"""The kind of the message that a child sends before it ends by an error. Its field `error` is the name of the error's class
alone: a text may hold what the child was given."""

_BUFFERED_BYTES = 8 * 1024 * 1024


class OpenProcess:
    def __init__(self, process: Any, channel: ParentChannel, limits: ProcessLimits) -> None:
        self._process = process
        self._channel = channel
        self._limits = limits

    @property
    def pid(self) -> int:
        pid: int = self._process.pid
        return pid

    async def is_open(self) -> bool:
        """Whether it may still answer; a process that is just ending may be noticed by `receive` alone."""
        await asyncio.sleep(0)  # lets the loop see that the process has ended
        return not self._channel.at_end

    async def send(self, kind: str, fields: Mapping[str, Any] | None = None, content: Any = b"") -> None:
        await self._channel.send(kind, fields, content)

    async def receive(self) -> ProcessMessage:
        """The next message. Raises why the process ended once there is no other."""
        message = await self._channel.receive()
        if message is None:
            raise await asyncio.to_thread(exit_error, self._process, self._limits)
        if message.kind == FAILED:
            raise self._failure(message)
        return message

    def _failure(self, message: ProcessMessage) -> Exception:
        match message.fields:
            case {"limit": "cpu_s" | "memory_bytes" | "file_bytes" as limit}:
                return self._limits.exceeded(limit)
            case {"error": str() as name}:
                return TransientFailure(f"the process failed: {name[:100]}")
        return TransientFailure("the process failed")


@asynccontextmanager
async def open_process(
    work: LongWork,
    argument: dict[str, Any],
    *,
    limits: ProcessLimits | None = None,
    directory: Path | None = None,
    handles: Mapping[str, int] | None = None,
    sandbox: Sandbox | None = None,
) -> AsyncIterator[OpenProcess]:
    """Starts the work in a child process. The process and everything that it started are killed when the context ends, and when
    this process is killed. Arguments are those of `run_in_process`; a limit of wall-clock time does not apply."""
    bounds = limits or ProcessLimits()
    async with private_directory() if directory is None else nullcontext(directory) as working_directory:
        if sandbox is not None:
            sandbox = await prepare_sandbox(sandbox, work, bounds)
        inherited = {name: Handle(number) for name, number in (handles or {}).items()}
        ours, theirs = multiprocessing.Pipe(duplex=True)
        given = (theirs, work, argument, inherited, bounds, str(working_directory), sandbox)
        process = fork_server_context.Process(target=_in_child, args=given, daemon=True)
        try:
            await start_and_close(process, theirs)
            async with stream_of(ours, limit=_BUFFERED_BYTES) as streams:
                yield OpenProcess(process, ParentChannel(*streams), bounds)
        finally:
            ours.close()
            await asyncio.shield(asyncio.to_thread(end_child, process))


def _in_child(
    ours: Connection,
    work: LongWork,
    argument: dict[str, Any],
    handles: dict[str, int],
    limits: ProcessLimits,
    directory: str,
    sandbox: Sandbox | None,
) -> None:
    parent = detach_child(ours.fileno(), *handles.values())
    channel = ChildChannel(ours.fileno())
    try:
        confine_child(parent, limits, directory, sandbox)
        work(argument | handles, channel)
    except (EOFError, BrokenPipeError):
        pass  # the parent is done with it
    except BaseException as error:
        limit = limit_behind(error)
        with suppress(OSError):
            channel.send(FAILED, {"error": type(error).__name__, "limit": limit})
    finally:
        ours.close()
