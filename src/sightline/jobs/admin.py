"""Job administration: read, count, retry and cancel jobs, in the caller's transaction."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import asyncpg

from sightline.contracts.jobs import PAYLOADS
from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, InvalidInput, NotFound, PermanentFailure
from sightline.jobs.record import ClaimedJob, JobCount, JobRecord, JobStatus, JobTransition
from sightline.jobs.retry import describe
from sightline.paging import Cursor
from sightline.timing import Clock, utc_now

JOB_TYPES = tuple(payload.job_type for payload in PAYLOADS)
JOB_STATUSES: tuple[JobStatus, ...] = get_args(JobStatus)
RETRY_PAGE_SIZE = 500

OnJobFailed = Callable[[Transaction, ClaimedJob, dict[str, Any]], Awaitable[None]]

_sql = load_queries(Path(__file__).with_name("queries.sql"))


class Cancelled(PermanentFailure):
    """An operator cancelled the job."""


@dataclass(frozen=True, slots=True)
class RetriedJob:
    id: UUID
    job_type: str


@dataclass(frozen=True, slots=True)
class SkippedJob:
    """A job that was not retried."""

    id: UUID
    job_type: str
    status: JobStatus
    active: UUID | None
    """Of a failed job: the active job of the same type and video that prevents the retry."""

    @property
    def reason(self) -> str:
        if self.status != "failed":
            return f"it is {self.status}, not failed"
        return f"{self.job_type} job {self.active or 'of another transaction'} of the same video is active"


@dataclass(frozen=True, slots=True)
class RetryReport:
    """The jobs that were queued again, or would be in a dry run."""

    is_dry_run: bool
    retried: tuple[RetriedJob, ...]
    skipped: tuple[SkippedJob, ...] = ()
    not_found: tuple[UUID, ...] = ()
    has_more: bool = False
    """More failed jobs are left than the limit allowed to retry."""


async def get_job(tx: Transaction, job_id: UUID) -> JobRecord | None:
    """The job with its history, if the transaction's role may see it."""
    row = await _sql["get_job"].row(tx, id=job_id)
    return None if row is None else _record(row)


async def need_job(tx: Transaction, job_id: UUID) -> JobRecord:
    found = await get_job(tx, job_id)
    if found is None:
        raise unknown_job(job_id)
    return found


def unknown_job(job_id: object) -> NotFound:
    return NotFound(f"no job {job_id}", code="JOB_NOT_FOUND")


async def list_jobs(
    tx: Transaction,
    *,
    job_type: str | None = None,
    status: JobStatus | None = None,
    video_id: UUID | None = None,
    limit: int = 50,
    before: Cursor[UUID] | None = None,
) -> list[JobRecord]:
    """Newest first, after the cursor."""
    filters: dict[str, Any] = {
        "job_type": None if job_type is None else check_job_type(job_type),
        "video_id": video_id,
        "before_id": None if before is None else before.id,
        "limit": limit,
    }
    if status == "failed":
        rows = await _sql["list_dead"].rows(tx, **filters)
    elif status in ("queued", "processing"):
        rows = await _sql["list_open"].rows(tx, status=status, **filters)
    else:
        rows = await _sql["list_jobs"].rows(tx, status=status, **filters)
    return [_record(row) for row in rows]


async def set_actor(tx: Transaction, name: str) -> None:
    """Sets who the history names for the changes of this transaction."""
    await _sql["set_actor"].rows(tx, name=name)


async def count_jobs(tx: Transaction) -> list[JobCount]:
    return [JobCount(*row) for row in await _sql["count_jobs"].rows(tx)]


async def count_open_jobs(tx: Transaction) -> list[JobCount]:
    """Counts queued and running jobs."""
    return [JobCount(*row) for row in await _sql["count_open"].rows(tx)]


def check_job_type(name: str) -> str:
    if name not in JOB_TYPES:
        raise InvalidInput(f"there is no job type {name!r}; use one of {', '.join(JOB_TYPES)}")
    return name


def _record(row: asyncpg.Record) -> JobRecord:
    values: dict[str, Any] = dict(row)
    values["progress"] = round(row["progress"], 6)  # the column is a 4-byte float
    first = JobTransition("queued", row["created_at"], None, None)
    values["transitions"] = (first, *(JobTransition(*transition) for transition in values.pop("moves")))
    return JobRecord(**values)


async def retry_jobs_by_id(tx: Transaction, ids: Iterable[UUID], *, is_dry_run: bool = False) -> RetryReport:
    """Queues failed jobs again: the retry counter starts at 0, the payload is the original one, the history stays.

    Of two jobs of the same video and type the first is retried, because only one can be active.
    """
    unique_ids = list(dict.fromkeys(ids))
    async with _savepoint(tx, is_kept=not is_dry_run):
        types = await _queue_again(tx, unique_ids) if unique_ids else {}
        await _sql["notify"].rows(tx, job_types=sorted(set(types.values())))
        left = {job_id: await _why_skipped(tx, job_id) for job_id in unique_ids if job_id not in types}
    return RetryReport(
        is_dry_run,
        retried=tuple(RetriedJob(job_id, types[job_id]) for job_id in unique_ids if job_id in types),
        skipped=tuple(skipped for skipped in left.values() if skipped is not None),
        not_found=tuple(job_id for job_id, skipped in left.items() if skipped is None),
    )


async def retry_failed_jobs(
    tx: Transaction, *, job_type: str | None = None, limit: int = 1000, is_dry_run: bool = False
) -> RetryReport:
    """Retries jobs that failed for good, of one type or of all, newest first, up to the limit."""
    retried: list[RetriedJob] = []
    skipped: list[SkippedJob] = []
    before: Cursor[UUID] | None = None
    async with _savepoint(tx, is_kept=not is_dry_run):
        while True:
            # At the limit one more job is read, to set `has_more`.
            size = max(1, min(RETRY_PAGE_SIZE, limit - len(retried)))
            page = await list_jobs(tx, job_type=job_type, status="failed", limit=size, before=before)
            has_more = bool(page) and len(retried) >= limit
            if has_more or not page:
                break
            part = await retry_jobs_by_id(tx, [job.id for job in page])
            retried += part.retried
            skipped += part.skipped
            before = Cursor(page[-1].created_at, page[-1].id)
    return RetryReport(is_dry_run, tuple(retried), tuple(skipped), has_more=has_more)


async def retry_one_job(tx: Transaction, job_id: UUID) -> JobRecord:
    """As `retry_jobs_by_id`, for one job; raises when it does not exist or is not failed."""
    report = await retry_jobs_by_id(tx, [job_id])
    for skipped in report.skipped:
        details = {"status": skipped.status} | ({"active_job_id": str(skipped.active)} if skipped.active else {})
        raise Conflict(f"job {job_id} cannot be retried: {skipped.reason}", details=details)
    return await need_job(tx, job_id)


async def _queue_again(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Returns the types of the queued jobs. A job blocked by an active one does not stop the others."""
    try:
        async with _savepoint(tx):
            rows = await _sql["retry_by_hand"].rows(tx, ids=list(ids))
        return {row["id"]: row["job_type"] for row in rows}
    except asyncpg.UniqueViolationError:
        if len(ids) == 1:
            return {}
    middle = len(ids) // 2
    first = await _queue_again(tx, ids[:middle])
    return first | await _queue_again(tx, ids[middle:])


async def _why_skipped(tx: Transaction, job_id: UUID) -> SkippedJob | None:
    job = await get_job(tx, job_id)
    if job is None:
        return None
    active: UUID | None = None
    if job.status == "failed":
        active = await _sql["active_pipeline_job"].value(tx, video_id=job.video_id, job_type=job.job_type)
    return SkippedJob(job.id, job.job_type, job.status, active)


@asynccontextmanager
async def _savepoint(tx: Transaction, *, is_kept: bool = True) -> AsyncIterator[None]:
    """Undoes what fails inside, or is not to be kept, without ending the transaction."""
    undo = "ROLLBACK TO SAVEPOINT by_hand; RELEASE SAVEPOINT by_hand"
    await tx.execute("SAVEPOINT by_hand")
    try:
        yield
    except asyncpg.PostgresError:
        await tx.execute(undo)
        raise
    await tx.execute("RELEASE SAVEPOINT by_hand" if is_kept else undo)


async def cancel_queued_job(
    tx: Transaction, job_id: UUID, *, by: str, on_failed: OnJobFailed | None = None, clock: Clock = utc_now
) -> JobRecord:
    """Fails a queued job for good. The operator claims it first, because the contract has no way from queued to failed.

    `on_failed` is called in this transaction.
    """
    row = await _sql["take_for_cancel"].row(tx, id=job_id, worker=by)
    if row is None:
        found = await need_job(tx, job_id)
        raise Conflict(
            f"job {job_id} is {found.status}; only a queued job can be cancelled", details={"status": found.status}
        )
    job = ClaimedJob(*row)
    error = describe(Cancelled(f"cancelled by {by}"), retry_count=job.retry_count, at=clock())
    await _sql["fail"].value(tx, id=job_id, worker=by, error=error)
    if on_failed is not None:
        await on_failed(tx, job, error)
    return await need_job(tx, job_id)


async def remove_jobs_of_video(tx: Transaction, video_id: UUID) -> int:
    """Removes the jobs of a removed video; a worker that runs one of them can no longer change it."""
    return await _sql["remove_jobs_of_video"].run(tx, video_id=video_id)
