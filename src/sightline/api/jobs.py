"""Jobs: one job for users who may see its video; all jobs, retry and cancel for operators."""

from collections.abc import Sequence
from typing import Annotated, Self
from uuid import UUID

import structlog
from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.analysis_requests import AnalysisRequest, analysis_of
from sightline.api.answers.jobs import (
    EXAMPLE_ID,
    CountsAnswer,
    JobAnswer,
    JobsAnswer,
    ListedJobAnswer,
    RetryAnswer,
)
from sightline.api.dependencies import (
    CurrentCaller,
    CurrentPlatform,
    Operator,
    ReadingTransaction,
    VideoListQuery,
    parse_id,
)
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.job_types import failed_job_handler
from sightline.jobs import (
    JobRecord,
    JobStatus,
    cancel_queued_job,
    check_job_type,
    count_jobs,
    list_jobs,
    need_job,
    retry_failed_jobs,
    retry_jobs_by_id,
    retry_one_job,
    set_actor,
    unknown_job,
)
from sightline.paging import Cursor, page_of
from sightline.videos import read_videos

MAX_RETRIED = 10_000

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/jobs", tags=["jobs"])


def _job_id(job_id: Annotated[str, Path(description="The job's id.", examples=[EXAMPLE_ID])]) -> UUID:
    return parse_id(job_id, unknown_job)


JobId = Annotated[UUID, Depends(_job_id)]


class JobListQuery(VideoListQuery):
    job_type: str | None = Field(None, examples=["ocr"], description="Only of this type.")
    status: JobStatus | None = Field(None, examples=["failed"], description="Only with this status.")


class RetryBody(BaseModel):
    """Either `ids`, or `all` permanently failed jobs."""

    model_config = ConfigDict(extra="forbid")

    ids: list[UUID] | None = Field(None, min_length=1, max_length=MAX_RETRIED, examples=[[EXAMPLE_ID]])
    all: bool = Field(False, examples=[False])
    job_type: str | None = Field(None, examples=["ocr"], description="With `all`: only of this type.")
    dry_run: bool = Field(False, examples=[True], description="Change nothing; return what would be done.")
    limit: int = Field(1000, ge=1, le=MAX_RETRIED, examples=[1000], description="With `all`: maximum number of jobs.")

    @model_validator(mode="after")
    def _is_one_way(self) -> Self:
        if (self.ids is not None) == self.all:
            raise ValueError("give either ids or all")
        if self.job_type is not None and not self.all:
            raise ValueError("job_type can only be used with all")
        return self


@router.get("")
async def jobs(platform: CurrentPlatform, _: Operator, query: Annotated[JobListQuery, Query()]) -> JobsAnswer:
    """Jobs by type, status and video, newest first. For operators."""
    async with platform.database.transaction() as tx:
        found = await list_jobs(
            tx,
            job_type=query.job_type,
            status=query.status,
            video_id=query.video_id,
            limit=query.limit + 1,
            before=query.before,
        )
        names = await names_of_videos(tx, found)
    page = page_of(found, query.limit, lambda job: Cursor(job.created_at, job.id))
    return JobsAnswer(jobs=[ListedJobAnswer.of(job, names) for job in page.items], next_cursor=page.next_cursor)


@router.post("", status_code=202)
async def analyze(platform: CurrentPlatform, caller: CurrentCaller, body: AnalysisRequest) -> JobAnswer:
    """Have a video analyzed for techniques. It is queued, and runs when a worker is free."""
    payload = await analysis_of(platform, caller, body)
    async with platform.database.transaction() as tx:
        queued = await platform.jobs.enqueue(tx, payload, priority=body.priority)
        return JobAnswer.of(await need_job(tx, queued.id))


@router.get("/counts")
async def counts(platform: CurrentPlatform, _: Operator) -> CountsAnswer:
    """Number of jobs by type and status, and age of the oldest queued job. For operators."""
    async with platform.database.transaction() as tx:
        return CountsAnswer.of(await count_jobs(tx))


@router.post("/retry")
async def retry_jobs(platform: CurrentPlatform, caller: Operator, body: RetryBody) -> RetryAnswer:
    """Queue failed jobs again, with all their retries and the original payload; their history is kept. For operators."""
    job_type = None if body.job_type is None else check_job_type(body.job_type)
    async with platform.database.transaction() as tx:
        await set_actor(tx, _name(caller))
        if body.ids is not None:
            report = await retry_jobs_by_id(tx, body.ids, is_dry_run=body.dry_run)
        else:
            report = await retry_failed_jobs(tx, job_type=job_type, limit=body.limit, is_dry_run=body.dry_run)
    if not report.is_dry_run:
        log.info("jobs.retried", retried=len(report.retried), skipped=len(report.skipped), by=_name(caller))
    return RetryAnswer.of(report)


@router.get("/{job_id}")
async def job(tx: ReadingTransaction, job_id: JobId) -> JobAnswer:
    """One job with its history. 404 if it does not exist or the caller may not see its video."""
    return JobAnswer.of(await need_job(tx, job_id))


@router.post("/{job_id}/retry")
async def retry_job(platform: CurrentPlatform, caller: Operator, job_id: JobId) -> JobAnswer:
    """Queue one failed job again. For operators."""
    async with platform.database.transaction() as tx:
        await set_actor(tx, _name(caller))
        found = await retry_one_job(tx, job_id)
    log.info("jobs.retried", retried=1, skipped=0, by=_name(caller), job_id=str(job_id), job_type=found.job_type)
    return JobAnswer.of(found)


@router.post("/{job_id}/cancel")
async def cancel_job(platform: CurrentPlatform, caller: Operator, job_id: JobId) -> JobAnswer:
    """Cancel a queued job: it becomes `failed`, and can be retried. For operators."""
    async with platform.database.transaction() as tx:
        found = await cancel_queued_job(tx, job_id, by=_name(caller), on_failed=failed_job_handler(platform))
    log.info("jobs.cancelled", by=_name(caller), job_id=str(job_id), job_type=found.job_type)
    return JobAnswer.of(found)


async def names_of_videos(tx: Transaction, jobs: Sequence[JobRecord]) -> dict[UUID, str]:
    """By id, of the videos that are still there."""
    ids = list({job.video_id for job in jobs if job.video_id is not None})
    return {video.id: video.name for video in await read_videos(tx, ids)}


def _name(operator: Caller) -> str:
    return f"operator {operator.user_id}"
