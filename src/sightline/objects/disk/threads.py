"""Threads in which the disk backend waits for the disk, separate from the default pool."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from sightline.errors import BackendUnavailable

MAX_THREADS = 16

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


class DiskThreads:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="objects")
        self._is_closing = threading.Event()

    async def run(self, work: Callable[_Params, _Result], *args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        return await self.start(work, *args, **kwargs)

    def start(
        self, work: Callable[_Params, _Result], *args: _Params.args, **kwargs: _Params.kwargs
    ) -> "asyncio.Future[_Result]":
        """Starts at once; the future may be awaited later."""
        return asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(*args, **kwargs))

    def check_open(self) -> None:
        """Long work calls this regularly: it raises once the store is being closed, so that closing does not wait for the work."""
        if self._is_closing.is_set():
            raise BackendUnavailable("objects", "the store is being closed")

    def close(self) -> None:
        self._is_closing.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


async def ended(future: "asyncio.Future[_Result]") -> None:
    """Returns when the work is over, also if it failed. A cancelled caller waits too: the thread still uses its file."""
    is_cancelled = False
    while not future.done():
        try:
            await asyncio.wait((future,))
        except asyncio.CancelledError:
            is_cancelled = True
    if not future.cancelled():
        future.exception()  # marks the exception as retrieved; the caller gets it from the future
    if is_cancelled:
        raise asyncio.CancelledError
