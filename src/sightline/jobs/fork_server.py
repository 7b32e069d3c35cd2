"""The fork server: children are forked from it, so that they start in milliseconds and hold nothing of this process.

It has an environment of its own, without this process's variables, and reads none of its memory; so has every child.
"""

import asyncio
import multiprocessing
import multiprocessing.forkserver
import multiprocessing.reduction
import multiprocessing.resource_tracker
import multiprocessing.spawn
import multiprocessing.util
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog

import sightline
from sightline.jobs.confinement import confinement
from sightline.timing import is_set_within

HARMLESS_VARIABLES = ("LD_LIBRARY_PATH", "OPENBLAS_NUM_THREADS", "PYTHONPATH", "TZ")
"""Variables that the server is given: where libraries lie, and how they behave."""
_PREPARATION = ("authkey", "log_level", "log_to_stderr", "name", "start_method")
"""What a child is given of its parent. Not its arguments, its directory and its main program."""

IDLE_S = 600.0

log = structlog.get_logger(__name__)


class _Use:
    ended_at = 0.0
    """When the last child ended, by the monotonic clock."""


fork_server_context = multiprocessing.get_context("forkserver")
_start_lock = threading.Lock()
_children: set[Any] = set()
_use = _Use()
_preloaded = ["sightline.jobs.process"]
fork_server_context.set_forkserver_preload(_preloaded)


class Handle:
    """The number of an open file; in the child it becomes the number that the file has there."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return _number_in_child, (multiprocessing.reduction.DupFd(self._number),)


def _number_in_child(duplicate: Any) -> int:
    number: int = duplicate.detach()
    return number


def preload(*modules: str) -> None:
    """Modules that children need: imported once in the fork server and shared by all children. Call it before the first child."""
    _preloaded.extend(name for name in modules if name not in _preloaded)
    fork_server_context.set_forkserver_preload(_preloaded)


class ForkServer:
    """Watches the server that children are forked from: the first child starts it, and it is stopped once no child was needed for a
    while. So a platform that has nothing to do keeps neither its modules nor its memory (ADR 0114)."""

    name = "fork-server"

    def __init__(self, *, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        found = await asyncio.to_thread(confinement)
        if found.missing:
            log.warning("sandbox.incomplete", level=found.level)
        ready()
        while not await is_set_within(stop, self._idle_s / 4):
            await asyncio.to_thread(_stop_idle_server, self._idle_s)


def start_child(process: Any) -> None:
    with _start_lock, _telling_little():
        process.start()
        _children.add(process)


def forget_child(process: Any) -> None:
    """The child has ended. Without one, the server may be stopped after a while."""
    with _start_lock:
        _children.discard(process)
        _use.ended_at = time.monotonic()


def _stop_idle_server(idle_s: float) -> None:
    with _start_lock:
        if _children or time.monotonic() - _use.ended_at < idle_s:
            return
        # Both have a way to stop, though not a public one. They start again by themselves with the next child.
        multiprocessing.forkserver._forkserver._stop()  # type: ignore[attr-defined]  # noqa: SLF001
        multiprocessing.resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]  # noqa: SLF001


@contextmanager
def _telling_little() -> Iterator[None]:
    """Starts the server without this process's environment, and children without importing the main program, which would
    take longer than most work."""
    prepare, spawn = multiprocessing.spawn.get_preparation_data, multiprocessing.util.spawnv_passfds

    def prepare_less(name: str) -> dict[str, Any]:
        prepared = prepare(name)
        return {key: prepared[key] for key in _PREPARATION if key in prepared} | {
            "sys_path": _absolute(prepared["sys_path"])
        }

    multiprocessing.spawn.get_preparation_data = prepare_less
    multiprocessing.util.spawnv_passfds = _start_server
    try:
        yield
    finally:
        multiprocessing.spawn.get_preparation_data = prepare
        multiprocessing.util.spawnv_passfds = spawn


def _start_server(path: bytes, args: Sequence[Any], passfds: Sequence[int]) -> int:
    """Stands in for the standard library's way to start the fork server and its helper."""
    server = subprocess.Popen(
        [args[0], "-P", *args[1:]],  # -P: not from the directory that it happens to be started in
        executable=path,
        env={name: os.environ[name] for name in HARMLESS_VARIABLES if name in os.environ},
        pass_fds=tuple(passfds),
    )
    server.returncode = 0  # the standard library waits for it
    return server.pid


def _absolute(import_paths: Sequence[str]) -> list[str]:
    """Without the directory that `python -m` puts there, unless this package lies in it."""
    here, package = os.getcwd(), str(Path(sightline.__file__).parents[1])
    return [path for path in import_paths if path not in ("", here) or path == package]
