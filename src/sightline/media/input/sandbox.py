"""Runs work on a stranger's video in a process with limits, and tells apart a bad video from a failure of ours.

The work is given by name, so that the process which asks for it never loads a decoder.
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
"""Requests of people come first."""

# A thread per core that nobody uses, each with room of its own, would count against the limit on address space.
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
    """What the work, `module:function`, makes of the video at `argument["readable"]`, the only one it can reach.

    A video that cannot be read is a `MediaUnreadable` here, as it was there.
    """
    readable = str(argument["readable"])
    is_remote = readable.startswith(("http://", "https://"))
    sandbox = Sandbox(readable=() if is_remote else (readable,), may_connect=is_remote)
    answer = await run_in_process(
        partial(_run_work, work), argument, progress, limits=limits, directory=directory, sandbox=sandbox
    )
    match answer:
        case {"unreadable": str() as reason}:
            raise MediaUnreadable(reason)
        case {"found": dict() as found}:
            return found
    raise ProcessCrashed("the process said something that is no answer")


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
