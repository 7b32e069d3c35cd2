"""The job runner: runs one claimed job until it is done, retried later, failed for good, or leased to another worker."""

import asyncio
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import structlog

from sightline.contracts.jobs import JobPayload, parse_payload
from sightline.db import Database, Transaction
from sightline.errors import InvalidInput, TransientFailure
from sightline.jobs.job import Job, JobContext, LeaseLost
from sightline.jobs.metrics import JobMetrics
from sightline.jobs.queue import JobQueue
from sightline.jobs.record import ClaimedJob
from sightline.jobs.retry import describe, may_retry, retry_delay
from sightline.observability import captured_lines, fresh_work_context, span, work_context
from sightline.timing import Clock, utc_now

log = structlog.get_logger(__name__)


StoreLog = Callable[[UUID, bytes], Awaitable[None]]
"""Stores the log of a job."""


class LeaseExpired(Exception):
    """The worker that had the job vanished."""


class TimeLimitExceeded(Exception):
    """The job took longer than the time limit of its type."""


class JobRunner:
    """Runs and ends jobs for one worker."""

    def __init__(
        self,
        *,
        worker: str,
        database: Database,
        queue: JobQueue,
        metrics: JobMetrics,
        clock: Clock = utc_now,
        chance: Callable[[], float] = random.random,
        store_log: StoreLog | None = None,
    ) -> None:
        self.worker = worker
        self._database = database
        self._queue = queue
        self._metrics = metrics
        self._clock = clock
        self._chance = chance
        self._store_log = store_log
        # Read once: log lines that are filtered out cost too much at thousands of jobs per second.
        self._logs_all = logging.getLogger(__name__).isEnabledFor(logging.INFO)

    async def run(self, handler: Job[Any], job: ClaimedJob, progress: Callable[[float, str | None], None]) -> bool:
        """True if the job succeeded and still has to be marked done; every other end is stored here."""
        context = job.context
        # Many jobs run on one task, each with its own context. Ids are formatted only when a line is written.
        fresh_work_context(
            correlation_id=context.get("correlation_id"), job_id=job.id, video_id=job.video_id, job_type=job.job_type
        )
        own = JobContext(job, worker=self.worker, database=self._database, queue=self._queue, progress=progress)
        with span("job.run", carrier=context, job_type=job.job_type):
            if self._store_log is None:
                outcome = await self._timed(handler, job, own)
            else:
                with captured_lines() as lines:
                    outcome = await self._timed(handler, job, own)
                await self._keep_log(job, lines)
        return outcome == "done" and not own.is_finished

    async def _timed(self, handler: Job[Any], job: ClaimedJob, own: JobContext) -> str:
        started = time.perf_counter()
        if self._logs_all:
            log.info("job.started", status="processing", attempt=own.attempt)
        outcome = await self._attempt(handler, job, own)
        seconds = time.perf_counter() - started
        self._metrics.attempt(job.job_type, seconds=seconds, outcome=outcome)
        if outcome == "done" and self._logs_all:
            log.info("job.finished", status="done", seconds=round(seconds, 3), attempt=own.attempt)
        return outcome

    async def _keep_log(self, job: ClaimedJob, lines: list[dict[str, Any]]) -> None:
        """Stores the log lines of this attempt. A log that cannot be stored does not fail the job."""
        assert self._store_log is not None
        try:
            await self._store_log(job.id, json.dumps(lines, default=str).encode())
        except Exception as error:
            log.warning("job.log_not_stored", error=str(error))

    async def _attempt(self, handler: Job[Any], job: ClaimedJob, own: JobContext) -> str:
        task = asyncio.current_task()
        assert task is not None
        is_late = False

        def give_up() -> None:
            nonlocal is_late
            is_late = True
            task.cancel()

        # asyncio.timeout does the same at three times the cost.
        limit = asyncio.get_running_loop().call_later(handler.limits.time_limit.total_seconds(), give_up)
        try:
            await handler.run(parse_payload(handler.payload, job.payload_text), own)
        except asyncio.CancelledError:
            if is_late:
                task.uncancel()
                error: Exception = TimeLimitExceeded(f"took longer than {handler.limits.time_limit}")
            elif task.cancelling():
                raise  # the worker is stopping
            else:
                error = TransientFailure("a task that the job waited for was cancelled")
        except Exception as raised:
            error = raised
        else:
            return "done"
        finally:
            limit.cancel()
        return await self.settle_failure(handler, job, error)

    async def fail_expired(self, handler: Job[Any], job: ClaimedJob) -> None:
        """Fails a job whose worker vanished on the last attempt."""
        ids = {"job_id": str(job.id), "video_id": None if job.video_id is None else str(job.video_id)}
        with (
            work_context(correlation_id=job.context.get("correlation_id"), job_type=job.job_type, **ids),
            span("job.expired", carrier=job.context, job_type=job.job_type),
        ):
            outcome = await self.settle_failure(handler, job, LeaseExpired("the worker vanished on the last attempt"))
        self._metrics.attempt(job.job_type, seconds=0.0, outcome=outcome)

    async def settle_failure(self, handler: Job[Any], job: ClaimedJob, error: Exception) -> str:
        """Retries or fails the job, depending on the error. `on_failed` runs in the transaction that fails it."""
        job.is_settling = True
        described = describe(error, retry_count=job.retry_count, at=self._clock())
        is_ours = not isinstance(error, LeaseLost)
        outcome = "retry" if may_retry(error, job.retry_count) else "failed"
        if is_ours:
            async with self._database.transaction() as tx:
                if outcome == "retry":
                    delay = retry_delay(job.retry_count, self._chance, error=error)
                    is_ours = await self._queue.retry_later(tx, job, described, worker=self.worker, delay=delay)
                else:
                    is_ours = await self._queue.fail(tx, job, described, worker=self.worker)
                    if is_ours:
                        await call_on_failed(handler, tx, job, described)
        if not is_ours:
            outcome = "lost"
        log.warning(
            "job.failed",
            status={"retry": "queued", "failed": "failed", "lost": "processing"}[outcome],
            outcome=outcome,
            error=described["message"],
            error_type=described["type"],
            retry_count=job.retry_count,
            exc_info=error if outcome != "lost" else None,
        )
        return outcome


async def call_on_failed(handler: Job[Any], tx: Transaction, job: ClaimedJob, error: dict[str, Any]) -> None:
    """Calls the handler's `on_failed` in the transaction that fails the job for good."""
    try:
        payload: JobPayload = parse_payload(handler.payload, job.payload_text)
    except InvalidInput:
        return  # an invalid payload cannot be given to the handler
    await handler.on_failed(tx, payload, error)
