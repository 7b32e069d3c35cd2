"""Waiting for conditions, with limits that do not depend on how busy the machine is.

Limits are in seconds of a quiet machine. While more threads want to run than there are cores, a second counts only for the
share of it that this process could have had, so a busy neighbour makes a wait longer but never makes a test fail.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import asyncpg

_T = TypeVar("_T")

USUAL_LIMIT_S = 30.0

_POLL_S = 0.01
_CHARGE_EVERY_S = 0.25
_LOAD = Path("/proc/loadavg")
_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Patience:
    """A limit that is used up more slowly while the machine is busy."""

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self.used_s = 0.0
        self._charged_at = time.monotonic()

    def is_over(self) -> bool:
        now = time.monotonic()
        if (passed := now - self._charged_at) >= _CHARGE_EVERY_S:
            self.used_s += passed / slowdown()
            self._charged_at = now
        return self.used_s > self.limit_s


def slowdown() -> float:
    """How many times longer work takes now than on a quiet machine."""
    load = os.getloadavg()[0]
    if _LOAD.exists():
        # The average lags behind by a minute; the number of threads that want to run right now does not.
        load = max(load, float(_LOAD.read_text().split()[3].split("/")[0]))
    return max(1.0, load / _CORES)


async def until(condition: Callable[[], bool | Awaitable[bool]], *, within_s: float = USUAL_LIMIT_S) -> None:
    """Returns as soon as the condition holds; fails the test when it does not within the limit."""
    patience = Patience(within_s)
    while True:
        holds = condition()
        if await holds if isinstance(holds, Awaitable) else holds:
            return
        assert not patience.is_over(), f"did not come true within {within_s} s: {condition}"
        await asyncio.sleep(_POLL_S)


async def until_blocked_by(tx: asyncpg.Connection) -> None:
    """Returns once another transaction waits for a lock of this one; those of other tests wait for others."""

    async def is_waiting() -> bool:
        return await tx.fetchval(
            "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid)))"
        )

    await until(is_waiting)


async def soon(awaitable: Awaitable[_T], *, within_s: float = USUAL_LIMIT_S) -> _T:
    """The result of the awaitable, which is cancelled when it takes longer than the limit."""
    async with limited(within_s):
        return await awaitable


@asynccontextmanager
async def limited(within_s: float = USUAL_LIMIT_S) -> AsyncIterator[None]:
    """Raises TimeoutError inside the block when it takes longer than the limit."""
    async with asyncio.timeout(None) as timeout:
        charging = asyncio.create_task(_end_when_over(timeout, Patience(within_s)))
        try:
            yield
        finally:
            charging.cancel()


async def _end_when_over(timeout: asyncio.Timeout, patience: Patience) -> None:
    while not patience.is_over():  # noqa: ASYNC110 # what is waited for is time
        await asyncio.sleep(_CHARGE_EVERY_S)
    timeout.reschedule(asyncio.get_running_loop().time())
