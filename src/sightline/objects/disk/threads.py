"""The threads in which the disk keeper waits for the disk, apart from those that everybody else shares."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from sightline.errors import BackendUnavailable

THREADS = 16

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class DiskThreads:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="objects")
        self._is_closing = threading.Event()

    async def run(self, work: Callable[_Given, _Result], *args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
        return await self.start(work, *args, **kwargs)

    def start(
        self, work: Callable[_Given, _Result], *args: _Given.args, **kwargs: _Given.kwargs
    ) -> "asyncio.Future[_Result]":
        """Begins at once; the future may be awaited later."""
        return asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(*args, **kwargs))

    def check_open(self) -> None:
        """For long work to ask now and then: it is given up when the store is closed, so that nobody has to wait for it."""
        if self._is_closing.is_set():
            raise BackendUnavailable("objects", "the store is being closed")

    def close(self) -> None:
        self._is_closing.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


async def ended(future: "asyncio.Future[_Result]") -> None:
    """Returns when the work is over, whatever came of it. A cancelled caller waits too: the thread still uses its file."""
    is_cancelled = False
    while not future.done():
        try:
            await asyncio.wait((future,))
        except asyncio.CancelledError:
            is_cancelled = True
    if not future.cancelled():
        future.exception()  # seen; whoever needs it asks the future
    if is_cancelled:
        raise asyncio.CancelledError
