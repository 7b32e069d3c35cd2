"""Calls that arrive together share one statement and one commit; each caller returns only after that commit."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from sightline.errors import TransientFailure

LARGEST_GROUP = 200

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Grouped(Generic[Asked, Answer]):
    """Under load a commit serves dozens of calls; alone, one waits for nothing. `work` answers each in the order given.

    The work runs in the context of whoever came first: what of the caller's own context matters has to be part of what is asked.
    """

    def __init__(
        self, work: Callable[[Sequence[Asked]], Awaitable[Sequence[Answer]]], *, largest: int = LARGEST_GROUP
    ) -> None:
        self._work = work
        self._largest = largest
        self._waiting: list[tuple[Asked, asyncio.Future[Answer]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def ask(self, asked: Asked) -> Answer:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, answer))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return await answer

    async def _flush(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[: self._largest], self._waiting[self._largest :]
            try:
                await self._settle(group)
            except Exception as error:
                # One bad call must not spoil the others; while the database is away, all of them have the same trouble.
                if len(group) == 1 or isinstance(error, TransientFailure):
                    _fail(group, error)
                else:
                    await self._one_by_one(group)

    async def _one_by_one(self, group: list[tuple[Asked, "asyncio.Future[Answer]"]]) -> None:
        for one in group:
            try:
                await self._settle([one])
            except Exception as error:
                _fail([one], error)

    async def _settle(self, group: list[tuple[Asked, "asyncio.Future[Answer]"]]) -> None:
        answers = await self._work([asked for asked, _ in group])
        for (_, future), answer in zip(group, answers, strict=True):
            if not future.done():
                future.set_result(answer)


def _fail(group: list[tuple[Asked, "asyncio.Future[Answer]"]], error: Exception) -> None:
    for _, future in group:
        if not future.done():
            future.set_exception(error)
