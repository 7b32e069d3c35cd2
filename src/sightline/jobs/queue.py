"""The job queue: enqueue in the caller's transaction, claim, finish, fail, release. Every change names the state it expects."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from sightline.contracts.jobs import PIPELINE_TYPES, JobPayload
from sightline.db import Database, Transaction, load_queries
from sightline.errors import InvalidInput
from sightline.jobs.ids import new_job_ids
from sightline.jobs.record import ClaimedJob, NewJob
from sightline.jobs.retry import MAX_RETRIES, storable
from sightline.observability import correlation_id, trace_carrier

CHANNEL = "sightline_jobs"

_sql = load_queries(Path(__file__).with_name("queries.sql"))


@dataclass(frozen=True, slots=True)
class Enqueued:
    id: UUID
    is_new: bool
    """False if an active job of that type and video exists already; `id` is then the id of that job."""


class JobQueue:
    def __init__(self, database: Database) -> None:
        self._database = database

    # Enqueuing ---------------------------------------------------------------------------------------------------

    async def enqueue(
        self,
        tx: Transaction,
        payload: JobPayload,
        *,
        priority: int = 0,
        depends_on: UUID | None = None,
        run_after: datetime | None = None,
    ) -> Enqueued:
        """Queues a job if the caller's transaction commits."""
        (enqueued,) = await self.enqueue_many(tx, [NewJob(payload, priority, depends_on, run_after)])
        return enqueued

    async def enqueue_many(self, tx: Transaction, jobs: Sequence[NewJob]) -> list[Enqueued]:
        """Queues jobs in one statement; the results are in the order of the jobs."""
        if not jobs:
            return []
        ids = new_job_ids(len(jobs))
        new = await self._insert(tx, ids, jobs)
        if len(new) == len(jobs):
            return [Enqueued(one, is_new=True) for one in ids]
        return [
            Enqueued(one, is_new=True) if one in new else await self._active_job(tx, one, job)
            for one, job in zip(ids, jobs, strict=True)
        ]

    async def _insert(self, tx: Transaction, ids: Sequence[UUID], jobs: Sequence[NewJob]) -> set[UUID]:
        """Returns the ids of the new jobs."""
        job_types = [job.payload.job_type for job in jobs]
        kinds = set(job_types)
        may_exist = not kinds.isdisjoint(PIPELINE_TYPES)
        try:
            rows = await _sql["enqueue" if may_exist else "enqueue_other"].rows(
                tx,
                ids=list(ids),
                video_ids=[job.payload.video_id for job in jobs],
                job_types=job_types,
                priorities=[job.priority for job in jobs],
                depends_on=[job.depends_on for job in jobs],
                run_after=[job.run_after for job in jobs],
                payloads=[job.payload.model_dump_json() for job in jobs],
                context=_context(),
                notified_types=list(kinds),
            )
        except asyncpg.InvalidTextRepresentationError as error:
            raise InvalidInput(f"unknown job type: {error}") from error
        except asyncpg.ForeignKeyViolationError as error:
            raise InvalidInput("depends_on names a job that does not exist") from error
        except asyncpg.UntranslatableCharacterError as error:
            raise InvalidInput(
                "the payload contains a NUL character, which PostgreSQL cannot store; remove it"
            ) from error
        return {row["id"] for row in rows if row["id"] is not None} if may_exist else set(ids)

    async def _active_job(self, tx: Transaction, new_id: UUID, job: NewJob) -> Enqueued:
        """The active job that prevented a second one; if it has finished since, the new job."""
        assert job.payload.job_type in PIPELINE_TYPES
        while True:
            found: UUID | None = await _sql["active_pipeline_job"].value(
                tx, video_id=job.payload.video_id, job_type=job.payload.job_type
            )
            if found is not None:
                return Enqueued(found, is_new=False)
            if await self._insert(tx, [new_id], [job]):
                return Enqueued(new_id, is_new=True)

    async def notify(self, tx: Transaction, job_types: Iterable[str]) -> None:
        await _sql["notify"].rows(tx, job_types=list(job_types))

    # Claiming ----------------------------------------------------------------------------------------------------

    async def claim(
        self,
        tx: Transaction,
        job_type: str,
        *,
        worker: str,
        limit: int,
        lease: timedelta,
        keep_progress: bool = False,
    ) -> list[ClaimedJob]:
        """Leases the due jobs of the highest priority to the worker. Open the transaction with `by_index`."""
        rows = await _sql["claim"].rows(
            tx,
            job_type=job_type,
            worker=worker,
            limit=limit,
            lease_s=lease.total_seconds(),
            max_retries=MAX_RETRIES,
            keep_progress=keep_progress,
        )
        claimed = [ClaimedJob(*row) for row in rows]
        claimed.sort(key=lambda job: (-job.priority, job.created_at, job.id))
        return claimed

    async def wake_due(self, tx: Transaction, job_type: str) -> int:
        """Makes jobs due whose delay has passed; returns how many."""
        return await _sql["wake_due"].run(tx, job_type=job_type)

    async def next_due(self, tx: Transaction, job_types: Sequence[str]) -> timedelta | None:
        found: timedelta | None = await _sql["next_due"].value(tx, job_types=list(job_types))
        return found

    async def look(self, tx: Transaction, job_type: str) -> tuple[bool, timedelta | None]:
        """Whether there is something to claim or to make due, and the time until the next delayed job is due."""
        row = await _sql["look"].row(tx, job_type=job_type, max_retries=MAX_RETRIES)
        assert row is not None
        next_due: timedelta | None = row["next_due"]
        return row["is_waiting"] or (next_due is not None and next_due <= timedelta()), next_due

    async def take_expired(self, tx: Transaction, job_type: str, *, worker: str, lease: timedelta) -> list[ClaimedJob]:
        """Claims jobs whose worker vanished on their last attempt; the caller fails them."""
        rows = await _sql["expired_for_good"].rows(
            tx, job_type=job_type, worker=worker, lease_s=lease.total_seconds(), max_retries=MAX_RETRIES
        )
        return [ClaimedJob(*row) for row in rows]

    # Ending ----------------------------------------------------------------------------------------------------

    async def finish(self, tx: Transaction, ids: Sequence[UUID], *, worker: str) -> set[UUID]:
        """Marks jobs done and wakes the workers of what depends on them; returns those that were still leased to the worker. The
        others are left as they are."""
        rows = await _sql["finish"].rows(tx, ids=list(ids), worker=worker)
        return {row["id"] for row in rows if row["id"] is not None}

    async def notify_waiting(self, tx: Transaction, ids: Sequence[UUID]) -> None:
        """Notifies the workers of the jobs that depend on these."""
        waiting = await _sql["waiting_types"].rows(tx, ids=list(ids))
        await self.notify(tx, [row["job_type"] for row in waiting])

    async def set_result(self, tx: Transaction, job_id: UUID, result: dict[str, Any], *, worker: str) -> bool:
        return await _sql["set_result"].run(tx, id=job_id, result=result, worker=worker) == 1

    async def retry_later(
        self, tx: Transaction, job: ClaimedJob, error: dict[str, Any], *, worker: str, delay: timedelta
    ) -> bool:
        """Queues a failed job again, due after the delay. False if it is no longer leased to the worker."""
        found = await _sql["retry_later"].value(
            tx, id=job.id, worker=worker, error=error, delay_s=delay.total_seconds()
        )
        return found is not None

    async def fail(self, tx: Transaction, job: ClaimedJob, error: dict[str, Any], *, worker: str) -> bool:
        """Fails a job for good. False if it is no longer leased to the worker."""
        return await _sql["fail"].value(tx, id=job.id, worker=worker, error=error) is not None

    async def release(self, tx: Transaction, jobs: Sequence[ClaimedJob], *, worker: str, reason: str) -> set[UUID]:
        """Queues claimed jobs again without using up an attempt."""
        error = {"type": "Released", "message": reason}
        rows = await _sql["release"].rows(tx, ids=[job.id for job in jobs], worker=worker, error=error)
        if rows:
            await self.notify(tx, {job.job_type for job in jobs})
        return {row["id"] for row in rows}

    async def heartbeat(self, tx: Transaction, ids: Sequence[UUID], *, worker: str, lease: timedelta) -> set[UUID]:
        """Extends leases; returns the jobs that are still leased to the worker."""
        rows = await _sql["heartbeat"].rows(tx, ids=list(ids), worker=worker, lease_s=lease.total_seconds())
        return {row["id"] for row in rows}

    async def report_progress(
        self, tx: Transaction, job_id: UUID, progress: float, message: str | None, *, worker: str
    ) -> float | None:
        """Returns the stored progress, which never decreases; None if the job is no longer leased to the worker."""
        # In this order NaN becomes 0.
        fraction = min(max(0.0, progress), 1.0)
        text = None if message is None else storable(message)
        stored: float | None = await _sql["report_progress"].value(
            tx, id=job_id, progress=fraction, message=text, worker=worker
        )
        return stored


def _context() -> dict[str, str] | None:
    found = trace_carrier()
    if (present := correlation_id()) is not None:
        found["correlation_id"] = present
    return found or None
