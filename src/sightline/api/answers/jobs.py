"""Jobs as JSON, as the API and the command line return them."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.api.answers.paged import PagedAnswerWithNext
from sightline.contracts.jobs import Analyze
from sightline.jobs import JOB_TYPES, JobCount, JobRecord, JobTransition, RetryReport
from sightline.techniques import stage_of
from sightline.timing import iso_utc

EXAMPLE_ID = UUID("0197b2a4-6c3e-7a11-8f00-3d1c5a9be210")
EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
_EXAMPLE_ERROR = {
    "type": "S3ObjectNotFound",
    "message": "no object at videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4",
    "timestamp": "2026-01-17T10:00:05.000Z",
    "retry_count": 0,
}


_NO_NAMES: Mapping[UUID, str] = {}


class JobStatusAnswer(BaseModel):
    """Fields of every kind of job, whichever table it is stored in."""

    job_id: UUID = Field(examples=[EXAMPLE_ID])
    status: str = Field(examples=["failed"])
    progress: float = Field(ge=0, le=1, examples=[0.4])
    message: str | None = Field(examples=["42 of 105 frames"], description="Current action.")
    result_s3_uri: str | None = Field(examples=["s3://fiapx-videos/results/1.json"])
    error: str | None = Field(examples=[_EXAMPLE_ERROR["message"]], description="The last error.")
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    updated_at: str = Field(examples=["2026-01-17T10:00:05.000Z"])


class JobSummaryAnswer(JobStatusAnswer):
    """A job of the queue; its status is queued, processing, done or failed."""

    job_type: str = Field(examples=["transcode"])
    video_id: UUID | None = Field(examples=[EXAMPLE_VIDEO])
    retry_count: int = Field(examples=[0], description="Failed attempts so far.")
    priority: int = Field(examples=[0], description="Higher runs first.")
    started_at: str | None = Field(examples=["2026-01-17T10:00:01.000Z"], description="When the last attempt began.")
    finished_at: str | None = Field(examples=["2026-01-17T10:00:05.000Z"])
    run_after: str | None = Field(examples=[None], description="It does not run before; null if it can run at once.")
    error_details: dict[str, Any] | None = Field(
        examples=[_EXAMPLE_ERROR], description="The last error: type, message, timestamp, retry_count."
    )
    result: dict[str, Any] | None = Field(examples=[{"result_s3_uri": "s3://fiapx-videos/results/1.json"}])

    @classmethod
    def of(cls, job: JobRecord) -> Self:
        return cls.model_validate(_summary(job))


class ListedJobAnswer(JobSummaryAnswer):
    """With the name that people know its video by."""

    video_name: str | None = Field(examples=["talk.mp4"], description="Null without a video, and if it is deleted.")

    @classmethod
    def of(cls, job: JobRecord, names: Mapping[UUID, str] = _NO_NAMES) -> Self:
        return cls.model_validate(_summary(job) | {"video_name": name_of_video(job, names)})


class JobMoveAnswer(BaseModel):
    status: str = Field(examples=["failed"])
    at: str = Field(examples=["2026-01-17T10:00:05.000Z"])
    by: str | None = Field(examples=["node-1:4711:5f2a9c01"], description="The worker, or the operator.")
    note: str | None = Field(examples=[f"S3ObjectNotFound: {_EXAMPLE_ERROR['message']}"], description="Why it failed.")

    @classmethod
    def of(cls, move: JobTransition) -> Self:
        return cls(status=move.status, at=iso_utc(move.at), by=move.by, note=_readable(move.note))


class JobAnswer(JobSummaryAnswer):
    history: list[JobMoveAnswer] = Field(description="Status changes, oldest first.")

    @classmethod
    def of(cls, job: JobRecord) -> Self:
        own = {"status": _status(job), "history": [JobMoveAnswer.of(move) for move in job.transitions]}
        return cls.model_validate(_summary(job) | own)


class WholeJobAnswer(JobAnswer):
    """With fields for operators."""

    video_name: str | None = Field(examples=["talk.mp4"], description="Null without a video, and if it is deleted.")
    payload: dict[str, Any] = Field(
        examples=[{"video_id": str(EXAMPLE_VIDEO)}],
        description="The job's payload; of a failed job {error, original_payload}.",
    )
    depends_on: UUID | None = Field(examples=[None], description="The job that it waits for.")
    locked_by: str | None = Field(
        examples=["node-1:4711:5f2a9c01"], description="The worker that runs it, or ran it last."
    )
    locked_until: str | None = Field(examples=[None], description="When its worker's lease ends.")

    @classmethod
    def of(cls, job: JobRecord, names: Mapping[UUID, str] = _NO_NAMES) -> Self:
        inside = {
            "video_name": name_of_video(job, names),
            "payload": job.payload,
            "depends_on": job.depends_on,
            "locked_by": job.locked_by,
        }
        return cls.model_validate(
            JobAnswer.of(job).model_dump() | inside | {"locked_until": _time(job.locked_until)},
        )


class JobsAnswer(PagedAnswerWithNext):
    jobs: list[ListedJobAnswer]


class TypeCountsAnswer(BaseModel):
    job_type: str = Field(examples=["ocr"])
    queued: int = Field(0, examples=[12], description="Waiting.")
    processing: int = Field(0, examples=[4], description="Being processed by a worker.")
    done: int = Field(0, examples=[1840])
    failed: int = Field(0, examples=[1], description="Failed permanently; retry it after fixing the cause.")
    oldest_age_s: float | None = Field(None, examples=[4.2], description="Age of the oldest one waiting.")


class CountsAnswer(BaseModel):
    job_types: list[TypeCountsAnswer]

    @classmethod
    def of(cls, counts: list[JobCount]) -> Self:
        """Types without any job are shown too."""
        types: dict[str, TypeCountsAnswer] = {name: TypeCountsAnswer(job_type=name) for name in JOB_TYPES}
        for count in counts:
            row = types.setdefault(count.job_type, TypeCountsAnswer(job_type=count.job_type))
            setattr(row, count.status, count.jobs)
            if count.status == "queued":
                row.oldest_age_s = count.oldest_age_s
        return cls(job_types=list(types.values()))


class SkippedAnswer(BaseModel):
    job_id: UUID = Field(examples=[EXAMPLE_ID])
    job_type: str = Field(examples=["ocr"])
    status: str = Field(examples=["failed"])
    active_job_id: UUID | None = Field(examples=[EXAMPLE_ID], description="The active job of the same type and video.")
    reason: str = Field(examples=[f"ocr job {EXAMPLE_ID} of the same video is active"])


class RetryAnswer(BaseModel):
    dry_run: bool = Field(examples=[False])
    retried: int = Field(examples=[1], description="Queued again; in a dry run, to be queued.")
    by_type: dict[str, int] = Field(examples=[{"ocr": 1}])
    ids: list[UUID] = Field(examples=[[EXAMPLE_ID]], description="Those that were, or would be, queued again.")
    skipped: list[SkippedAnswer] = Field(description="Skipped jobs, with the reason.")
    not_found: list[UUID] = Field(examples=[[EXAMPLE_ID]], description="Requested ids that do not exist.")
    has_more: bool = Field(examples=[False], description="More are left; repeat the request.")

    @classmethod
    def of(cls, report: RetryReport) -> Self:
        types = [job.job_type for job in report.retried]
        skipped = [
            SkippedAnswer(
                job_id=one.id,
                job_type=one.job_type,
                status=one.status,
                active_job_id=one.active,
                reason=one.reason,
            )
            for one in report.skipped
        ]
        return cls(
            dry_run=report.is_dry_run,
            retried=len(types),
            by_type={name: types.count(name) for name in sorted(set(types))},
            ids=[job.id for job in report.retried],
            skipped=skipped,
            not_found=list(report.not_found),
            has_more=report.has_more,
        )


def name_of_video(job: JobRecord, names: Mapping[UUID, str]) -> str | None:
    return None if job.video_id is None else names.get(job.video_id)


def _summary(job: JobRecord) -> dict[str, Any]:
    address = (job.result or {}).get("result_s3_uri")
    return {
        "job_id": job.id,
        "status": job.status,
        "progress": round(job.progress, 4),  # kept in four bytes, where 0.95 is 0.949999988
        "message": job.progress_message,
        "result_s3_uri": address if isinstance(address, str) else None,
        "error": None if job.error is None else str(job.error.get("message") or job.error.get("type")),
        "created_at": iso_utc(job.created_at),
        "updated_at": iso_utc(job.updated_at),
        "job_type": job.job_type,
        "video_id": job.video_id,
        "retry_count": job.retry_count,
        "priority": job.priority,
        "started_at": _time(job.started_at),
        "finished_at": _time(job.finished_at),
        "run_after": _time(job.run_after),
        "error_details": job.error,
        "result": job.result,
    }


def _status(job: JobRecord) -> str:
    """The stages of an analysis are those of document 000: downloading, processing, uploading, publishing, completed."""
    return stage_of(job.status, job.progress) if job.job_type == Analyze.job_type else job.status


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else iso_utc(moment)


def _readable(note: str | None) -> str | None:
    """The database stores an error as JSON; people read its type and message."""
    try:
        error = json.loads(note or "")
    except (ValueError, RecursionError):
        return note
    if not isinstance(error, dict) or "type" not in error:
        return note
    return f"{error['type']}: {error['message']}" if error.get("message") else str(error["type"])
