"""Single enqueues that arrive together share one statement and one commit; each caller returns only after that commit."""

import asyncio

from sightline.contracts.jobs import JobPayload
from sightline.db import Database
from sightline.jobs.queue import Enqueued, JobQueue
from sightline.jobs.record import NewJob

LARGEST_GROUP = 1000


class GroupedEnqueue:
    """For callers without a transaction of their own. Under load a commit serves dozens of them; alone, one waits for nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue = JobQueue(database)
        self._waiting: list[tuple[NewJob, asyncio.Future[Enqueued]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def enqueue(self, payload: JobPayload, *, priority: int = 0) -> Enqueued:
        answer: asyncio.Future[Enqueued] = asyncio.get_running_loop().create_future()
        self._waiting.append((NewJob(payload, priority), answer))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return await answer

    async def _flush(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
            try:
                async with self._database.transaction() as tx:
                    answers = await self._queue.enqueue_many(tx, [job for job, _ in group])
            except Exception as error:
                if len(group) > 1:
                    await self._one_by_one(group)  # one bad job must not spoil the others
                    continue
                _fail(group[0][1], error)
            else:
                for (_, future), answer in zip(group, answers, strict=True):
                    if not future.done():
                        future.set_result(answer)

    async def _one_by_one(self, group: list[tuple[NewJob, asyncio.Future[Enqueued]]]) -> None:
        for job, future in group:
            try:
                async with self._database.transaction() as tx:
                    (answer,) = await self._queue.enqueue_many(tx, [job])
            except Exception as error:
                _fail(future, error)
            else:
                if not future.done():
                    future.set_result(answer)


def _fail(future: "asyncio.Future[Enqueued]", error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
