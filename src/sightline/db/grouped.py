"""Grouped commits: concurrent calls share one statement and one commit; each returns after that commit."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from sightline.errors import TransientFailure

MAX_GROUP_SIZE = 200
QUIET_ROUNDS = 2
"""Of the event loop, without a further call, after which a group is complete: a request that was received takes two to call."""

Request = TypeVar("Request")
Result = TypeVar("Result")


class Grouped(Generic[Request, Result]):
    """Under load one commit serves dozens of calls; a single call never waits for others. `work` returns the results in the order
    given.

    The work runs in the context of the first caller, so what matters of a caller's context has to be part of its request.
    """

    def __init__(
        self, work: Callable[[Sequence[Request]], Awaitable[Sequence[Result]]], *, max_size: int = MAX_GROUP_SIZE
    ) -> None:
        self._work = work
        self._max_size = max_size
        self._waiting: list[tuple[Request, asyncio.Future[Result]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def call(self, request: Request) -> Result:
        result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, result))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return await result

    async def _flush(self) -> None:
        while self._waiting:
            await self._gather()
            group, self._waiting = self._waiting[: self._max_size], self._waiting[self._max_size :]
            try:
                await self._settle(group)
            except Exception as error:
                # One invalid call must not fail the others; while the database is unavailable, all of them fail alike.
                if len(group) == 1 or isinstance(error, TransientFailure):
                    _fail(group, error)
                else:
                    await self._one_by_one(group)

    async def _gather(self) -> None:
        """Lets the event loop go round as long as each round brings further calls: what has arrived already goes along."""
        quiet = 0
        while quiet < QUIET_ROUNDS and len(self._waiting) < self._max_size:
            before = len(self._waiting)
            await asyncio.sleep(0)
            quiet = 0 if len(self._waiting) > before else quiet + 1

    async def _one_by_one(self, group: list[tuple[Request, "asyncio.Future[Result]"]]) -> None:
        for one in group:
            try:
                await self._settle([one])
            except Exception as error:
                _fail([one], error)

    async def _settle(self, group: list[tuple[Request, "asyncio.Future[Result]"]]) -> None:
        results = await self._work([request for request, _ in group])
        for (_, future), result in zip(group, results, strict=True):
            if not future.done():
                future.set_result(result)


def _fail(group: list[tuple[Request, "asyncio.Future[Result]"]], error: Exception) -> None:
    for _, future in group:
        if not future.done():
            future.set_exception(error)
