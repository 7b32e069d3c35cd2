"""The worker: claims jobs of one type, runs them, extends their leases, and releases them when it stops.

Finishing and claiming share a round trip: one transaction marks finished jobs done and claims the next ones. A job is `done`
only when that transaction has committed.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from sightline.db import Database, Listener, Transaction
from sightline.errors import BackendUnavailable
from sightline.jobs.job import Job
from sightline.jobs.metrics import JobMetrics
from sightline.jobs.queue import CHANNEL, JobQueue
from sightline.jobs.record import ClaimedJob
from sightline.jobs.runner import JobRunner, StoreLog
from sightline.jobs.settings import JobsSettings
from sightline.jobs.worker_slots import WorkerSlots
from sightline.timing import Backoff, is_set_within

MAX_BATCH = 500
REAP_EVERY_S = 30.0
PROGRESS_EVERY_S = 1.0
MIN_PROGRESS_STEP = 0.05  # a smaller step is stored but not published
WAKE_EVERY_S = 1.0

_DATABASE_ERRORS = (BackendUnavailable, OSError, asyncpg.PostgresError, asyncpg.InterfaceError)

log = structlog.get_logger(__name__)

PublishProgress = Callable[[ClaimedJob, float, str | None], Awaitable[None]]
"""Called while a job runs, after its progress was stored."""


def worker_name() -> str:
    """The name under which this process holds leases: readable and unique."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def _log_fields(job: ClaimedJob) -> dict[str, str | None]:
    """Fields of every log line about a job."""
    video_id = None if job.video_id is None else str(job.video_id)
    return {"job_id": str(job.id), "video_id": video_id, "job_type": job.job_type, "status": "processing"}


class Worker:
    """Runs jobs of one type. Types do not share a worker, so that a slow type cannot block the others."""

    def __init__(
        self,
        handler: Job[Any],
        *,
        database: Database,
        listener: Listener,
        settings: JobsSettings | None = None,
        metrics: JobMetrics | None = None,
        name: str | None = None,
        grace_s: float = 3.0,
        store_log: StoreLog | None = None,
        publish_progress: PublishProgress | None = None,
    ) -> None:
        self._publish_progress = publish_progress
        self._published_progress: dict[UUID, float] = {}
        self.name = f"worker:{handler.job_type}"
        self._handler = handler
        self._settings = settings or JobsSettings()
        self._database = database
        self._listener = listener
        self._queue = JobQueue(database)
        self._metrics = metrics or JobMetrics(None)
        self._runner = JobRunner(
            worker=name or worker_name(),
            database=database,
            queue=self._queue,
            metrics=self._metrics,
            store_log=store_log,
        )
        self._grace_s = grace_s
        self._lease = timedelta(seconds=self._settings.lease_s)
        self._slots = WorkerSlots(handler.limits.concurrency, self._run_one)
        self._finished: list[ClaimedJob] = []
        self._was_woken = False
        self._woke_at = -WAKE_EVERY_S
        self._progress: dict[UUID, tuple[float, str | None]] = {}
        # Set when a job was enqueued, a job has finished, or the worker has to stop.
        self._wake_up = asyncio.Event()

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        upkeep = [
            asyncio.create_task(self._every(self._settings.heartbeat_s, self._heartbeat)),
            asyncio.create_task(self._every(REAP_EVERY_S, self._reap)),
            asyncio.create_task(self._every(PROGRESS_EVERY_S, self._write_progress)),
            asyncio.create_task(self._wake_up_on(stop)),
        ]
        try:
            with self._listener.subscribe(CHANNEL, self._on_enqueued):
                ready()
                await self._work_until(stop)
        finally:
            await self._shut_down()
            for task in upkeep:
                task.cancel()

    async def _work_until(self, stop: asyncio.Event) -> None:
        failures = 0
        backoff = Backoff(first_s=0.1, max_s=5.0)
        while not stop.is_set():
            self._wake_up.clear()
            try:
                claimed, wait_s = await self._settle_and_claim()
                failures = 0
            except _DATABASE_ERRORS as error:
                # Finished jobs stay in the list and are marked done when the database is back.
                failures += 1
                log.warning(
                    "worker.database_unavailable", job_type=self._handler.job_type, error=str(error), failures=failures
                )
                await is_set_within(stop, backoff.delay_s(failures))
                continue
            self._slots.put(job for job in claimed if not self._is_running_here(job))
            if not claimed or self._free() <= 0:
                self._was_woken = await is_set_within(self._wake_up, wait_s)

    def _free(self) -> int:
        return min(self._handler.limits.concurrency - len(self._slots), MAX_BATCH)

    async def _claim_at_once(self) -> list[ClaimedJob]:
        """For a worker that was woken and has nothing to finish: one round trip instead of three, so that the job starts sooner."""
        async with self._database.statement() as tx:
            return await self._claim(tx, self._free())

    async def _claim(self, tx: Transaction, limit: int) -> list[ClaimedJob]:
        return await self._queue.claim(
            tx,
            self._handler.job_type,
            worker=self._runner.worker,
            limit=limit,
            lease=self._lease,
            keep_progress=self._handler.keeps_progress,
        )

    async def _settle_and_claim(self) -> tuple[list[ClaimedJob], float]:
        """One transaction: marks finished jobs done, makes delayed jobs due, and claims the next jobs."""
        was_woken, self._was_woken = self._was_woken, False
        if was_woken and not self._finished and self._free() > 0 and (found := await self._claim_at_once()):
            return found, 0.0
        if not was_woken and not self._finished and self._free() > 0 and (wait_s := await self._wait_if_idle()) > 0:
            return [], wait_s
        finished = self._finished[:MAX_BATCH]
        free = self._free()
        job_type = self._handler.job_type
        wait_s = self._settings.poll_s
        claimed: list[ClaimedJob] = []
        async with self._database.transaction(by_index=True) as tx:
            if finished:
                done = await self._queue.finish(tx, [job.id for job in finished], worker=self._runner.worker)
                for job in finished if len(done) < len(finished) else ():
                    if job.id not in done:
                        log.warning("job.lease_lost", **_log_fields(job))
            if free > 0:
                claimed = await self._claim(tx, free)
                if len(claimed) == free:
                    await self._wake_due_jobs(tx)
                if not claimed and await self._queue.wake_due(tx, job_type):
                    wait_s = 0.0
                elif not claimed and (due := await self._queue.next_due(tx, [job_type])) is not None:
                    wait_s = min(wait_s, max(due.total_seconds(), 0.01))
        del self._finished[: len(finished)]
        return claimed, 0.0 if self._finished else wait_s

    async def _wait_if_idle(self) -> float:
        """How long to wait if there is nothing to do, otherwise 0. Of all that an idle platform does, most are these looks."""
        async with self._database.statement() as tx:
            is_waiting, next_due = await self._queue.look(tx, self._handler.job_type)
        if is_waiting:
            return 0.0
        wait_s = self._settings.poll_s
        return wait_s if next_due is None else min(wait_s, max(next_due.total_seconds(), 0.01))

    async def _wake_due_jobs(self, tx: Transaction) -> None:
        """Makes delayed jobs due every second, also in a queue that never becomes empty."""
        now = asyncio.get_running_loop().time()
        if now - self._woke_at >= WAKE_EVERY_S:
            self._woke_at = now
            await self._queue.wake_due(tx, self._handler.job_type)

    # One job -----------------------------------------------------------------------------------------------------

    def _is_running_here(self, job: ClaimedJob) -> bool:
        """Whether this worker runs the job already: the lease expired during an outage and this worker claimed it again."""
        present = self._slots.get(job.id)
        if present is not None:
            present.retry_count = job.retry_count
        return present is not None

    async def _run_one(self, job: ClaimedJob) -> None:
        def progress(fraction: float, message: str | None) -> None:
            self._progress[job.id] = (fraction, message)

        try:
            if await self._runner.run(self._handler, job, progress):
                self._finished.append(job)
        except Exception as error:
            # The failure could not be stored; the lease expires and another worker claims the job.
            log.error("job.not_settled", **_log_fields(job), error=str(error), exc_info=error)
        finally:
            self._progress.pop(job.id, None)
            self._published_progress.pop(job.id, None)
            self._wake_up.set()

    # Upkeep ------------------------------------------------------------------------------------------------------

    def _on_enqueued(self, job_type: str) -> None:
        if job_type in ("", self._handler.job_type):
            self._wake_up.set()

    async def _wake_up_on(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._wake_up.set()

    async def _every(self, seconds: float, work: Callable[[], Any]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception as error:  # the next heartbeat must come in any case
                log.warning(
                    "worker.maintenance_failed", job_type=self._handler.job_type, work=work.__name__, error=str(error)
                )

    async def _heartbeat(self) -> None:
        """Extends the leases; cancels jobs that another worker has claimed."""
        ids = [*self._slots.ids, *(job.id for job in self._finished)]
        if not ids:
            return
        async with self._database.transaction(by_index=True) as tx:
            held = await self._queue.heartbeat(tx, ids, worker=self._runner.worker, lease=self._lease)
        for lost in set(ids) - held:
            job = self._slots.get(lost)
            if job is not None and not job.is_settling:
                log.warning("job.lease_lost", **_log_fields(job))
                self._slots.drop(lost)

    async def _reap(self) -> None:
        """Fails jobs whose worker vanished on the last attempt."""
        async with self._database.transaction(by_index=True) as tx:
            expired = await self._queue.take_expired(
                tx, self._handler.job_type, worker=self._runner.worker, lease=self._lease
            )
        for job in expired:
            try:
                await self._runner.fail_expired(self._handler, job)
            except Exception as error:  # one job that cannot be failed now must not block the others
                log.error("job.not_settled", **_log_fields(job), error=str(error), exc_info=error)

    async def _write_progress(self) -> None:
        waiting, self._progress = self._progress, {}
        if not waiting:
            return
        known: dict[UUID, float] = {}
        async with self._database.transaction() as tx:
            # In the order of the heartbeat, to avoid a deadlock with it.
            for job_id, (fraction, message) in sorted(waiting.items()):
                stored = await self._queue.report_progress(tx, job_id, fraction, message, worker=self._runner.worker)
                if stored is not None:
                    known[job_id] = stored
        for job_id, stored in known.items():
            await self._publish(job_id, stored, waiting[job_id][1])

    async def _publish(self, job_id: UUID, progress: float, message: str | None) -> None:
        job = self._slots.get(job_id)
        if self._publish_progress is None or job is None:
            return
        if progress >= self._published_progress.get(job_id, 0.0) + MIN_PROGRESS_STEP:
            self._published_progress[job_id] = progress
            await self._publish_progress(job, progress, message)

    async def _shut_down(self) -> None:
        """Lets jobs finish within the grace time; cancels and releases the rest without using up an attempt."""
        left = await self._slots.close(grace_s=self._grace_s)
        with suppress(*_DATABASE_ERRORS):
            await self._release(left)

    async def _release(self, jobs: Sequence[ClaimedJob]) -> None:
        async with self._database.transaction(by_index=True) as tx:
            if self._finished:
                await self._queue.finish(tx, [job.id for job in self._finished], worker=self._runner.worker)
            if jobs:
                await self._queue.release(tx, jobs, worker=self._runner.worker, reason="the worker was stopped")
        self._finished.clear()
