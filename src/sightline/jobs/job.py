"""Job handlers: the payload a job type takes, what it does, and what happens when it fails for good."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID

from sightline.contracts.jobs import JobPayload
from sightline.db import Database, Transaction
from sightline.errors import TransientFailure
from sightline.jobs.queue import JobQueue
from sightline.jobs.record import ClaimedJob

P = TypeVar("P", bound=JobPayload)


class LeaseLost(TransientFailure):
    """Another worker has claimed the job: the result of this attempt must not be stored."""


class JobContext:
    """What a running job can read and report about itself."""

    def __init__(
        self,
        job: ClaimedJob,
        *,
        worker: str,
        database: Database,
        queue: JobQueue,
        progress: Callable[[float, str | None], None],
    ) -> None:
        self.job_id: UUID = job.id
        self.attempt = job.retry_count + 1
        self.is_finished = False
        self._job = job
        self._worker = worker
        self._database = database
        self._queue = queue
        self._progress = progress

    def progress(self, fraction: float, message: str | None = None) -> None:
        """Reports progress from 0 to 1. Cheap: the worker writes the latest value every second."""
        self._progress(fraction, message)

    @asynccontextmanager
    async def finishing(self, *, result: dict[str, Any] | None = None) -> AsyncIterator[Transaction]:
        """The last transaction of the job: its result, the jobs it enqueues, and `done` commit together or not at all.

        A handler that does not open one is marked done after it returns.
        """
        if self.is_finished:
            raise RuntimeError("a job can be finished only once")
        async with self._database.transaction() as tx:
            yield tx
            self._job.is_settling = True
            if result is not None:
                await self._queue.set_result(tx, self.job_id, result, worker=self._worker)
            if not await self._queue.finish(tx, [self.job_id], worker=self._worker):
                raise LeaseLost(f"job {self.job_id} is no longer leased to {self._worker}")
        self.is_finished = True


@dataclass(frozen=True, slots=True)
class JobLimits:
    concurrency: int = 4
    """Jobs of this type that one worker runs in parallel."""
    time_limit: timedelta = timedelta(hours=1)
    """A job that takes longer is cancelled and counts as failed."""


class Job(Generic[P]):
    """The handler of one job type. Subclasses take their dependencies in the constructor."""

    payload: ClassVar[type[JobPayload]]
    limits: JobLimits = JobLimits()
    keeps_progress: ClassVar[bool] = False
    """A retry starts at the progress of the attempt before, instead of 0."""

    next_type: ClassVar[str | None] = None
    """The type of the job that follows this one for the same video, if there is one."""

    @property
    def job_type(self) -> str:
        return self.payload.job_type

    async def run(self, payload: P, context: JobContext) -> None:
        raise NotImplementedError

    async def on_failed(self, tx: Transaction, payload: P, error: dict[str, Any]) -> None:
        """Called in the transaction that fails the job for good; `payload` is valid. Does nothing by default."""

    # Jobs that another program runs, in plain SQL (jobs/external.py). These may be called several times for one job.

    async def on_claimed_elsewhere(self, tx: Transaction, payload: P) -> None:
        """Called after another program has claimed the job. Does nothing by default."""

    async def on_done_elsewhere(self, tx: Transaction, payload: P) -> None:
        """Called after another program has marked the job done. Does nothing by default."""

    async def successor(self, payload: P) -> JobPayload | None:
        """The job of `next_type` after another program has run this one and enqueued none; None if none is needed."""
        return None
