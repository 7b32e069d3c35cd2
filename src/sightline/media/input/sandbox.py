"""The media sandbox: runs work on an untrusted video in a limited process, and separates bad videos from platform failures.

The work is given by name, so that the calling process never loads a decoder.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from sightline.errors import TransientFailure
from sightline.jobs import (
    LimitReached,
    ProcessCrashed,
    ProcessLimits,
    Progress,
    Sandbox,
    preload,
    run_in_process,
    was_short_of_memory,
)
from sightline.media.input.byte_source import CHANNEL, OPEN_FILE
from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.remote_input import RemoteInput
from sightline.media.settings import MediaSettings

Work = Callable[[dict[str, Any], Progress], dict[str, Any]]
_HANDLE = "input_handle"
NICE = 5
"""Media work yields to requests of people."""

# Unused threads of OpenBLAS, one per core, would count against the limit on address space.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
preload(
    "sightline.media.stream.proxy_work",
    "sightline.media.clips.clip_work",
    "av.subtitles.stream",
    "av.subtitles.codeccontext",
)


def process_limits(settings: MediaSettings) -> ProcessLimits:
    return ProcessLimits(
        cpu_s=settings.cpu_limit_s,
        memory_bytes=settings.memory_limit_bytes,
        file_bytes=settings.file_limit_bytes,
        wall_s=settings.wall_limit_s,
        nice=NICE,
        may_be_unconfined=settings.allow_unconfined,
    )


async def run_in_sandbox(
    work: str,
    argument: dict[str, Any],
    progress: Progress = lambda fraction, message: None,
    *,
    limits: ProcessLimits,
    directory: Path | None = None,
) -> dict[str, Any]:
    """Runs the work, `module:function`, on the video at `argument["readable"]`, an absolute path or an http(s) URL.

    The process is handed that one file open, or a channel by which it asks for parts of it, and can open nothing else.
    A `MediaUnreadable` in the sandbox is raised here too.
    """
    async with open_input(str(argument["readable"])) as (handle, kind):
        result = await run_in_process(
            run_work,
            argument | {"work": work, "readable": kind},
            progress,
            limits=limits,
            directory=directory,
            handles={_HANDLE: handle},
            sandbox=Sandbox(modules=(work.partition(":")[0],)),
        )
    match result:
        case {"unreadable": str() as reason}:
            raise MediaUnreadable(reason)
        case {"found": dict() as found}:
            return found
    raise ProcessCrashed("the process sent a result that cannot be read")


@asynccontextmanager
async def open_input(readable: str) -> AsyncIterator[tuple[int, str]]:
    """A handle for the sandboxed process, and what kind of handle it is."""
    if not readable.startswith(("http://", "https://")):
        handle = await asyncio.to_thread(os.open, readable, os.O_RDONLY | os.O_CLOEXEC)
        try:
            yield handle, OPEN_FILE
        finally:
            os.close(handle)
        return
    ours, theirs = socket.socketpair()
    remote = RemoteInput(readable, ours)
    serving = asyncio.create_task(remote.serve())
    try:
        yield theirs.fileno(), CHANNEL
    except TransientFailure as error:
        if remote.failure is None:
            raise
        raise TransientFailure(f"the object store did not return the video: {remote.failure.message}") from error
    finally:
        theirs.close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


def run_work(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Sandboxed work: runs the work that is named in the argument."""
    module, _, name = str(argument["work"]).partition(":")
    given = argument | {"readable": f"{argument['readable']}{argument[_HANDLE]}"}
    try:
        run: Work = getattr(import_module(module), name)
        return {"found": run(given, progress)}
    except Exception as error:
        if was_short_of_memory():
            raise LimitReached("memory_bytes") from error
        if isinstance(error, MediaUnreadable):
            return {"unreadable": error.message}
        raise
