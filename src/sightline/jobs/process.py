"""Work in a child process: CPU-heavy or dangerous functions, with limits, a timeout and a sandbox.

The child reports in lines of JSON and never in pickles: a child that decodes an untrusted file may be compromised, and must not
be able to run code in this process.
"""

import asyncio
import json
import multiprocessing
import os
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs.confinement import Sandbox, enter_sandbox, need_confinement
from sightline.jobs.fork_server import Handle, forget_child, fork_server_context, start_child
from sightline.jobs.process_ids import next_ids
from sightline.jobs.process_limits import ProcessLimits, limit_behind, limit_behind_signal
from sightline.jobs.retry import may_retry

Progress = Callable[[float, str | None], None]
Work = Callable[[dict[str, Any], Progress], dict[str, Any] | None]
"""A function at module level: takes an argument as JSON and a progress callback, returns a result as JSON."""

MAX_LINE_BYTES = 256 * 1024 * 1024


class ProcessCrashed(TransientFailure):
    """The process was killed by a signal that no limit explains. It is retried once."""

    max_retries = 1


async def run_in_process(
    work: Work,
    argument: dict[str, Any],
    progress: Progress,
    *,
    limits: ProcessLimits | None = None,
    directory: Path | None = None,
    handles: Mapping[str, int] | None = None,
    sandbox: Sandbox | None = None,
) -> dict[str, Any] | None:
    """Runs the work in a child process and returns its result.

    Cancelling kills the process and everything it started. An error in the child is raised here and keeps whether it can be
    retried; a limit that the child reached is a `LimitExceeded`; a signal is a `ProcessCrashed`.

    The child works in `directory`, or in a private one that is removed afterwards. It inherits the open files `handles`, whose
    numbers it finds by their names in its argument. With a `sandbox` it can reach nothing else; if the kernel cannot see to
    that, the work is refused with `ConfinementMissing`, unless the limits allow that it runs unconfined.
    """
    async with private_directory() if directory is None else nullcontext(directory) as working_directory:
        bounds = limits or ProcessLimits()
        if sandbox is not None:
            sandbox = await prepare_sandbox(sandbox, work, bounds)
        inherited = {name: Handle(number) for name, number in (handles or {}).items()}
        try:
            async with (
                asyncio.timeout(bounds.wall_s) as clock,
                _child((work, argument, inherited, bounds, str(working_directory), sandbox)) as (process, messages),
            ):
                return await _read_messages(process, messages, progress, bounds)
        except TimeoutError as error:
            if not clock.expired():
                raise
            raise bounds.exceeded("wall_s") from error


@asynccontextmanager
async def private_directory() -> AsyncIterator[Path]:
    path = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="sightline-work-"))
    try:
        yield path
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, path, ignore_errors=True))


async def _read_messages(
    process: Any, messages: asyncio.StreamReader, progress: Progress, limits: ProcessLimits
) -> dict[str, Any] | None:
    while line := await messages.readline():
        match _parsed(line):
            case ["progress", [int() | float() as fraction, str() | None as message]]:
                progress(fraction, message)
            case ["result", dict() | None as result]:
                return result
            case ["limit", "cpu_s" | "memory_bytes" | "file_bytes" as limit]:
                raise limits.exceeded(limit)
            case ["error", [str() as name, str() as message, bool() as may_be_retried]]:
                failure = TransientFailure if may_be_retried else PermanentFailure
                raise failure(f"{name}: {message}")
            case _:
                raise ProcessCrashed("the process sent a message that cannot be read")
    raise await asyncio.to_thread(exit_error, process, limits)


def _parsed(line: bytes) -> Any:
    with suppress(ValueError):
        return json.loads(line)
    return None


@asynccontextmanager
async def _child(given: tuple[Any, ...]) -> AsyncIterator[tuple[Any, asyncio.StreamReader]]:
    """The process and its messages. The process and everything it started are killed when the context ends."""
    ours, theirs = multiprocessing.Pipe(duplex=True)
    process = fork_server_context.Process(target=_in_child, args=(theirs, *given), daemon=True)
    try:
        await start_and_close(process, theirs)
        async with stream_of(ours, limit=MAX_LINE_BYTES) as (messages, _):
            yield process, messages
    finally:
        ours.close()
        await asyncio.shield(asyncio.to_thread(end_child, process))


@asynccontextmanager
async def stream_of(
    ours: Connection, *, limit: int
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """The stream of a connection to a child; no thread per child, which would use up the thread pool.

    A socket and not a pipe: uvloop closes the number of a pipe twice, and the second time it may be a file that another thread
    has just opened.
    """
    connected = socket.socket(fileno=os.dup(ours.fileno()))
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=limit, loop=loop)
    protocol = _LastWords(reader, loop=loop)
    transport, _ = await loop.create_unix_connection(lambda: protocol, sock=connected)
    writer = asyncio.StreamWriter(transport, protocol, reader, loop)
    try:
        yield reader, writer
    finally:
        writer.close()


class _LastWords(asyncio.StreamReaderProtocol):
    """What a child sent before it ended is read to its end.

    A child that ends with messages of its parent unread resets the connection, and a reader that is told of that error returns
    nothing any more, not even what has arrived before.
    """

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(None)


async def start_and_close(process: Any, theirs: Connection) -> None:
    """Starts the process, then closes this process's copy of the child's end."""
    starting = asyncio.create_task(asyncio.to_thread(start_child, process))
    try:
        await asyncio.shield(starting)
    finally:
        await asyncio.wait((starting,))  # a process that is cancelled while it starts must not be left behind
        theirs.close()


def end_child(process: Any) -> None:
    if process.pid is None:
        return
    # Kills the process group first, so that no program that the child started outlives it.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.is_alive():
        process.kill()
    process.join(5)
    forget_child(process)


def _in_child(
    messages: Connection,
    work: Work,
    argument: dict[str, Any],
    handles: dict[str, int],
    limits: ProcessLimits,
    directory: str,
    sandbox: Sandbox | None,
) -> None:
    parent = detach_child(messages.fileno(), *handles.values())

    def send(kind: str, value: Any) -> None:
        line = memoryview(json.dumps((kind, value), separators=(",", ":")).encode() + b"\n")
        while line:
            line = line[os.write(messages.fileno(), line) :]

    def progress(fraction: float, message: str | None = None) -> None:
        send("progress", (fraction, message))

    try:
        confine_child(parent, limits, directory, sandbox)
        send("result", work(argument | handles, progress))
    except BaseException as error:
        if (limit := limit_behind(error)) is not None and getattr(limits, limit) is not None:
            send("limit", limit)
        else:
            send("error", (type(error).__name__, str(error), may_retry(error, 0)))
    finally:
        messages.close()


def detach_child(*kept: int) -> Any:
    """Begins a child process: a session of its own, and no open files but the ones given. Returns its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    os.setsid()
    os.dup2(2, 1)  # standard output belongs to the command that runs the parent
    parent = multiprocessing.parent_process()
    assert parent is not None
    # The work must not reach the pipes of the fork server.
    _close_all_but(parent.sentinel, *kept)
    return parent


def confine_child(parent: Any, limits: ProcessLimits, directory: str, sandbox: Sandbox | None) -> None:
    """Applies limits and sandbox to the calling child, and lets it end with its parent."""
    os.umask(0o077)
    os.chdir(directory)
    # Under ids of its own the child may not pass the directories above.
    os.environ["TMPDIR"] = tempfile.tempdir = directory if sandbox is None else "/proc/self/cwd"
    limits.apply()
    if sandbox is not None:
        sandbox.import_modules()
        enter_sandbox(sandbox, may_be_unconfined=limits.may_be_unconfined)
    # Started after the sandbox, which does not bind threads that exist already.
    threading.Thread(target=_die_with, args=(parent,), daemon=True).start()


async def prepare_sandbox(sandbox: Sandbox, work: Callable[..., Any], limits: ProcessLimits) -> Sandbox:
    """The sandbox with what the work needs; `ConfinementMissing` if this system cannot enforce it and the limits insist."""
    need_confinement(may_be_unconfined=limits.may_be_unconfined)
    modules = (*sandbox.modules, work.__module__)
    return replace(sandbox, modules=modules, ids=await asyncio.to_thread(next_ids))


def _close_all_but(*kept: int) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in kept:
            with suppress(OSError):
                os.close(int(name))


def _die_with(parent: Any) -> None:
    """Ends the child when its parent was killed and cannot do it."""
    parent.join()
    with suppress(PermissionError):  # a sandboxed process can start no others, and signal none
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def exit_error(process: Any, limits: ProcessLimits) -> Exception:
    process.join(5)
    code = process.exitcode
    if code is None or code >= 0:
        return TransientFailure(f"the process ended with code {code} without a result")
    limit = limit_behind_signal(-code)
    if limit is not None and getattr(limits, limit) is not None:
        return limits.exceeded(limit)
    return ProcessCrashed(f"the process was killed by {signal.Signals(-code).name}")
