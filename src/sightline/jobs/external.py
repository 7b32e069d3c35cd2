"""Jobs of other programs: follows what workers written from document 001 do to jobs in plain SQL (ADR 0047).

Triggers hold such workers to the contract and note each job that they change (migration 0029). This service does what a worker of
the platform would do beside its job: the video moves on, a failed attempt is retried after its delay, a job whose worker died is
queued again, the next job is enqueued, and a failure for good is handled. It looks at states, not at events, so it may be killed,
run late, or run in several processes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import structlog

from sightline.contracts.jobs import JobPayload, parse_payload
from sightline.db import Database, Listener, Transaction, load_queries
from sightline.errors import InvalidInput
from sightline.jobs.job import Job
from sightline.jobs.metrics import JobMetrics
from sightline.jobs.queue import JobQueue
from sightline.jobs.record import ClaimedJob
from sightline.jobs.retry import MAX_RETRIES, describe, may_retry_reported, retry_delay
from sightline.jobs.runner import LeaseExpired, call_on_failed
from sightline.supervisor import Every, NextRun

CHANNEL = "sightline_external"
POLL_S = 5.0
BUSY_S = 0.5
"""A job that another transaction has locked is looked at again after this long."""

_sql = load_queries(Path(__file__).with_name("external.sql"))

log = structlog.get_logger(__name__)

HandlerOf = Callable[[str], Job[Any] | None]
"""The handler of a job type; None for a type that this version does not know."""


@dataclass(frozen=True, slots=True)
class _ExternalJob:
    """The row of a job, locked."""

    row: asyncpg.Record

    @property
    def id(self) -> UUID:
        found: UUID = self.row["id"]
        return found

    @property
    def status(self) -> str:
        return str(self.row["status"])

    @property
    def claimed(self) -> ClaimedJob:
        names = (
            "id",
            "video_id",
            "job_type",
            "retry_count",
            "priority",
            "payload",
            "context",
            "created_at",
            "started_at",
        )
        return ClaimedJob(*(self.row[name] for name in names))

    @property
    def seconds(self) -> float:
        started, ended = self.row["started_at"], self.row["finished_at"] or self.row["now"]
        return 0.0 if started is None else max(0.0, (ended - started).total_seconds())


class ExternalJobs:
    """`successor_wait` is how long the program that ended a job has to enqueue the next one itself."""

    def __init__(
        self,
        database: Database,
        listener: Listener,
        handler_of: HandlerOf,
        *,
        metrics: JobMetrics,
        successor_wait: timedelta,
    ) -> None:
        self._database = database
        self._listener = listener
        self._queue = JobQueue(database)
        self._handler_of = handler_of
        self._metrics = metrics
        self._successor_wait = successor_wait

    def service(self) -> Every:
        return Every(
            "external-jobs",
            POLL_S,
            self.follow_all,
            wake_on=lambda wake: self._listener.subscribe(CHANNEL, lambda _: wake()),
        )

    async def follow_all(self) -> NextRun:
        """Looks at every job that is due; an error of one is raised after the others had their turn."""
        async with self._database.transaction() as tx:
            await _sql["forget_removed"].run(tx)
            due = [row["job_id"] for row in await _sql["due"].rows(tx)]
        errors: list[Exception] = []
        is_busy = False
        for job_id in due:
            try:
                is_busy |= not await self.follow(job_id)
            except asyncpg.LockNotAvailableError:
                is_busy = True
            except Exception as error:
                errors.append(error)
        if errors:
            raise errors[0]
        if is_busy:
            return NextRun(BUSY_S)
        async with self._database.transaction() as tx:
            until_next: timedelta | None = await _sql["next_look"].value(tx)
        return NextRun(POLL_S if until_next is None else min(POLL_S, max(until_next.total_seconds(), 0.01)))

    async def follow(self, job_id: UUID) -> bool:
        """Does what the state of the job calls for; False if another transaction has it locked."""
        try:
            async with self._database.transaction() as tx:
                await _sql["limit_waiting"].rows(tx)
                row = await _sql["lock"].row(tx, id=job_id)
                if row is None:
                    return False
                job = _ExternalJob(row)
                again_at = await self._follow_locked(tx, job)
                if again_at is None:
                    await _sql["forget"].run(tx, id=job_id)
                else:
                    await _sql["look_again"].run(tx, id=job_id, at=again_at)
        except asyncpg.UniqueViolationError:
            # Another job of the same type and video was enqueued in the meantime and takes its place.
            async with self._database.transaction() as tx:
                await _sql["forget"].run(tx, id=job_id)
            log.info("external_job.replaced", job_id=str(job_id))
        return True

    async def _follow_locked(self, tx: Transaction, job: _ExternalJob) -> datetime | None:
        """Returns when to look at the job again; None if it was followed."""
        match job.status:
            case "processing" if job.row["is_held_elsewhere"]:
                return await self._follow_claim(tx, job)
            case "failed":
                return await self._follow_failure(tx, job)
            case "done":
                return await self._follow_end(tx, job)
            case "queued":
                await self._queue.notify(tx, [job.row["job_type"]])
        return None

    async def _follow_claim(self, tx: Transaction, job: _ExternalJob) -> datetime | None:
        locked_until: datetime = job.row["locked_until"]
        if locked_until > job.row["now"]:
            if (called := self._handler(job)) is not None:
                handler, payload = called
                await handler.on_claimed_elsewhere(tx, payload)
            return locked_until
        error = describe(LeaseExpired("the lease expired"), retry_count=job.row["retry_count"], at=job.row["now"])
        if job.row["retry_count"] < MAX_RETRIES:
            # Its time was lost already, so the next attempt may begin at once.
            await self._queue.retry_later(tx, job.claimed, error, worker=job.row["locked_by"], delay=timedelta())
            await self._queue.notify(tx, [job.row["job_type"]])
            self._report(job, "retry", error)
        else:
            await self._queue.fail(tx, job.claimed, error, worker=job.row["locked_by"])
            await self._fail_for_good(tx, job, error)
        return None

    async def _follow_failure(self, tx: Transaction, job: _ExternalJob) -> datetime | None:
        error, retry_count = job.row["error"] or {}, job.row["retry_count"]
        run_after: datetime | None = job.row["run_after"]
        if not may_retry_reported(error, retry_count):
            await self._fail_for_good(tx, job, error)
            return None
        if run_after is None:
            run_after = job.row["finished_at"] + retry_delay(retry_count)
            await _sql["wait_for_retry"].run(tx, id=job.id, at=run_after)
            self._report(job, "retry", error)
        elif run_after <= job.row["now"]:
            await _sql["queue_again"].value(tx, id=job.id, max_retries=MAX_RETRIES)
            await self._queue.notify(tx, [job.row["job_type"]])
            return None
        return run_after

    async def _follow_end(self, tx: Transaction, job: _ExternalJob) -> datetime | None:
        await self._queue.notify_waiting(tx, [job.id])
        called = self._handler(job)
        if called is None:
            return None
        handler, payload = called
        await handler.on_done_elsewhere(tx, payload)
        if handler.next_type is None or await self._has_successor(tx, job, handler.next_type):
            self._report(job, "done", None)
            return None
        wait_until: datetime = job.row["finished_at"] + self._successor_wait
        if wait_until > job.row["now"]:
            return wait_until
        if (next_job := await handler.successor(payload)) is not None:
            enqueued = await self._queue.enqueue(tx, next_job)
            log.info("external_job.continued", job_id=str(job.id), next_job_id=str(enqueued.id), next=next_job.job_type)
        self._report(job, "done", None)
        return None

    async def _has_successor(self, tx: Transaction, job: _ExternalJob, job_type: str) -> bool:
        return bool(
            await _sql["has_successor"].value(
                tx, video_id=job.row["video_id"], job_type=job_type, since=job.row["created_at"]
            )
        )

    async def _fail_for_good(self, tx: Transaction, job: _ExternalJob, error: dict[str, Any]) -> None:
        if (handler := self._handler_of(job.row["job_type"])) is not None:
            await call_on_failed(handler, tx, job.claimed, error)
        self._report(job, "failed", error)

    def _handler(self, job: _ExternalJob) -> tuple[Job[Any], JobPayload] | None:
        """None for an unknown type, and for a payload that no worker of the platform could read."""
        handler = self._handler_of(job.row["job_type"])
        if handler is None:
            return None
        try:
            return handler, parse_payload(handler.payload, job.row["payload"])
        except InvalidInput as error:
            log.warning("external_job.unreadable", job_id=str(job.id), error=str(error))
            return None

    def _report(self, job: _ExternalJob, outcome: str, error: dict[str, Any] | None) -> None:
        self._metrics.attempt(job.row["job_type"], seconds=job.seconds, outcome=outcome)
        log.info(
            "external_job.ended",
            job_id=str(job.id),
            video_id=str(job.row["video_id"]),
            job_type=job.row["job_type"],
            status={"retry": "queued"}.get(outcome, outcome),
            outcome=outcome,
            worker=job.row["locked_by"],
            error=None if error is None else error.get("message"),
        )
