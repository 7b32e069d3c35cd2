"""The media sandbox: runs work on an untrusted video in a limited process, and separates bad videos from platform failures.

The work is given by name, so that the calling process never loads a decoder.
"""

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

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
from sightline.media.input.errors import MediaUnreadable
from sightline.media.settings import MediaSettings

Work = Callable[[dict[str, Any], Progress], dict[str, Any]]
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
    )


async def run_in_sandbox(
    work: str,
    argument: dict[str, Any],
    progress: Progress = lambda fraction, message: None,
    *,
    limits: ProcessLimits,
    directory: Path | None = None,
) -> dict[str, Any]:
    """Runs the work, `module:function`, on the video at `argument["readable"]`, the only file it can reach.

    A `MediaUnreadable` in the sandbox is raised here too.
    """
    readable = str(argument["readable"])
    is_remote = readable.startswith(("http://", "https://"))
    sandbox = Sandbox(readable=() if is_remote else (readable,), may_connect=is_remote)
    result = await run_in_process(
        partial(_run_work, work), argument, progress, limits=limits, directory=directory, sandbox=sandbox
    )
    match result:
        case {"unreadable": str() as reason}:
            raise MediaUnreadable(reason)
        case {"found": dict() as found}:
            return found
    raise ProcessCrashed("the process sent a result that cannot be read")


def _run_work(work: str, argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    try:
        module, _, name = work.partition(":")
        run: Work = getattr(import_module(module), name)
        return {"found": run(argument, progress)}
    except Exception as error:
        if was_short_of_memory():
            raise LimitReached("memory_bytes") from error
        if isinstance(error, MediaUnreadable):
            return {"unreadable": error.message}
        raise
