"""Progress of videos by pipeline stage, for users who may see them; retry for owners."""

from collections.abc import Mapping
from typing import Annotated, Self
from uuid import UUID

import structlog
from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.videos import EXAMPLE_ID, VideoId, need_own_video
from sightline.errors import Conflict, InvalidInput
from sightline.jobs import LatestJob, latest_of_videos, retry_one_job, set_actor
from sightline.timing import iso_utc
from sightline.videos import PIPELINE_STAGES, completed_videos

STAGES = tuple(stage.job_type for stage in PIPELINE_STAGES)
NEED_ORIGINAL = ("transcode", "sample")
FILE_ERRORS = ("MediaUnreadable",)
"""Errors of the uploaded file itself."""
MAX_VIDEOS = 100

router = APIRouter(prefix="/api/pipelines", tags=["videos"])
log = structlog.get_logger(__name__)


class PipelineStepAnswer(BaseModel):
    name: str = Field(examples=["ocr"])
    status: str = Field(
        examples=["processing"], description="waiting (for earlier stages), queued, processing, done or failed."
    )
    job_id: UUID | None = Field(examples=["0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"])
    progress: float = Field(ge=0, le=1, examples=[0.4])
    message: str | None = Field(examples=["42 of 105 frames"])
    attempts: int = Field(examples=[0], description="Attempts that failed.")
    next_attempt_at: str | None = Field(examples=[None], description="Time of the next attempt, if one is due.")
    error: str | None = Field(examples=[None])
    can_retry: bool = Field(
        examples=[False], description="It has failed, and a retry may help; not if the file itself cannot be read."
    )

    @classmethod
    def of(cls, name: str, job: LatestJob | None, *, is_completed: bool = False) -> Self:
        """`is_completed`: of a completed video, whose jobs may have been removed since."""
        if job is None:
            return cls(
                name=name,
                status="done" if is_completed else "waiting",
                job_id=None,
                progress=1 if is_completed else 0,
                message=None,
                attempts=0,
                next_attempt_at=None,
                error=None,
                can_retry=False,
            )
        return cls(
            name=name,
            status=job.status,
            job_id=job.id,
            progress=1 if job.status == "done" else round(job.progress, 4),
            message=job.progress_message,
            attempts=job.retry_count,
            next_attempt_at=None if job.run_after is None else iso_utc(job.run_after),
            error=None if job.error is None else str(job.error.get("message") or job.error.get("type")),
            can_retry=can_retry(job),
        )


class PipelineAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    steps: list[PipelineStepAnswer]


class PipelinesAnswer(BaseModel):
    pipelines: list[PipelineAnswer]


@router.get("")
async def pipelines(
    tx: CallerTransaction,
    video_ids: Annotated[
        str,
        Query(description=f"Comma-separated, at most {MAX_VIDEOS}.", max_length=4000, examples=[str(EXAMPLE_ID)]),
    ],
) -> PipelinesAnswer:
    """Pipeline stages of these videos, in order. All are waiting for unknown ids and videos that the caller may not see."""
    ids = _ids(video_ids)
    found = await latest_of_videos(tx, ids, STAGES)
    completed = await completed_videos(tx, [video_id for video_id in ids if len(found.get(video_id, {})) < len(STAGES)])
    return PipelinesAnswer(
        pipelines=[
            PipelineAnswer(
                video_id=video_id,
                steps=[
                    PipelineStepAnswer.of(name, found.get(video_id, {}).get(name), is_completed=video_id in completed)
                    for name in STAGES
                ],
            )
            for video_id in ids
        ]
    )


@router.post("/{video_id}/retry", status_code=202)
async def retry(platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId) -> PipelineAnswer:
    """Retry the failed stage of an own video."""
    video = await need_own_video(platform, caller, video_id)
    async with platform.database.transaction() as tx:
        jobs = (await latest_of_videos(tx, [video_id], STAGES)).get(video_id, {})
        failed = failed_stage(jobs)
        if failed is None:
            raise Conflict(f"no stage of video {video_id} has failed")
        if failed.job_type in NEED_ORIGINAL:
            video.need_original()
        await set_actor(tx, f"owner {caller.user_id}")
        await retry_one_job(tx, failed.id)
        log.info("jobs.retried", retried=1, skipped=0, by=f"owner {caller.user_id}", job_id=str(failed.id))
        jobs = (await latest_of_videos(tx, [video_id], STAGES))[video_id]
    return PipelineAnswer(video_id=video_id, steps=[PipelineStepAnswer.of(name, jobs.get(name)) for name in STAGES])


def failed_stage(jobs: Mapping[str, LatestJob]) -> LatestJob | None:
    """The first stage that has failed."""
    return next((jobs[name] for name in STAGES if name in jobs and jobs[name].status == "failed"), None)


def can_retry(job: LatestJob) -> bool:
    """Whether a retry may end otherwise. A file that cannot be read stays that, unless an operator changes a limit."""
    return job.status == "failed" and (job.error or {}).get("type") not in FILE_ERRORS


def _ids(text: str) -> list[UUID]:
    try:
        ids = list(dict.fromkeys(UUID(one) for one in text.split(",")))
    except ValueError:
        raise InvalidInput("video_ids: ids separated by commas") from None
    if len(ids) > MAX_VIDEOS:
        raise InvalidInput(f"video_ids: at most {MAX_VIDEOS} ids")
    return ids
