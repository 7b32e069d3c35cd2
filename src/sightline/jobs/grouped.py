"""Single enqueues that arrive together share one statement and one commit; each caller returns only after that commit."""

from collections.abc import Sequence

from sightline.contracts.jobs import JobPayload
from sightline.db import Database, Grouped
from sightline.jobs.queue import Enqueued, JobQueue
from sightline.jobs.record import NewJob

LARGEST_GROUP = 1000


class GroupedEnqueue:
    """For callers without a transaction of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue = JobQueue(database)
        self._grouped = Grouped(self._enqueue_all, largest=LARGEST_GROUP)

    async def enqueue(self, payload: JobPayload, *, priority: int = 0) -> Enqueued:
        return await self._grouped.ask(NewJob(payload, priority))

    async def _enqueue_all(self, jobs: Sequence[NewJob]) -> Sequence[Enqueued]:
        async with self._database.transaction() as tx:
            return await self._queue.enqueue_many(tx, jobs)
