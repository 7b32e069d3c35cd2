"""Looking for people and objects in what a camera recorded: requesting a run, following it, ending it."""

from contextlib import suppress
from datetime import timedelta
from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.jobs import EXAMPLE_ID
from sightline.api.answers.security import EXAMPLE_TIME
from sightline.api.cameras import CameraId, own_camera
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.events.access import name_of
from sightline.bootstrap import Platform
from sightline.cameras.detect import NOT_INSTALLED
from sightline.cameras.detect.recordings import (
    DetectionRunRow,
    active_run,
    add_run,
    cancel_run,
    lock_camera,
    run_of_job,
    runs_of_camera,
)
from sightline.cameras.recording import recorded_spans
from sightline.contracts.jobs import DetectRecording
from sightline.contracts.values import Moment
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.job_types import failed_job_handler
from sightline.jobs import JobRecord, cancel_queued_job, get_job
from sightline.security import Camera, need_camera, normalize_camera_id
from sightline.timing import iso_utc, utc_now

MAX_SPAN = timedelta(hours=24)
MAX_LISTED = 50

router = APIRouter(prefix="/api/cameras/{camera_id}/detect", tags=["cameras"])

RunId = Annotated[UUID, Path(description="The run's job id.", examples=[EXAMPLE_ID])]


class DetectRecordingBody(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    since: Moment = Field(alias="from", examples=["2026-04-17T10:00:00Z"], description="Begin of the span.")
    until: Moment = Field(examples=["2026-04-17T11:00:00Z"], description="End of the span: 24 hours later at most.")
    looks_per_s: float = Field(
        3, ge=0.2, le=10, allow_inf_nan=False, examples=[3], description="Pictures per second while something moves."
    )


class DetectionRunAnswer(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    job_id: UUID = Field(examples=[EXAMPLE_ID])
    camera_id: str = Field(examples=["front_door"])
    since: str = Field(alias="from", examples=[EXAMPLE_TIME])
    until: str = Field(examples=[EXAMPLE_TIME])
    status: str = Field(examples=["processing"], description="queued, processing, done, failed or cancelled.")
    progress: float = Field(ge=0, le=1, examples=[0.4])
    reached_at: str = Field(examples=[EXAMPLE_TIME], description="What was filmed before is done.")
    reported: int = Field(examples=[3], description="Objects that became detections.")
    known: int = Field(examples=[1], description="Objects that had been reported before.")
    left_out: int = Field(examples=[0], description="Segments that could not be read or were removed meanwhile.")
    error: str | None = Field(examples=[None])
    created_at: str = Field(examples=[EXAMPLE_TIME])

    @classmethod
    def of(cls, run: DetectionRunRow, job: JobRecord, camera: Camera) -> Self:
        is_cancelled = run.cancelled_at is not None and job.status == "failed"
        return cls(
            job_id=run.job_id,
            camera_id=camera.camera_id,
            since=iso_utc(run.since),
            until=iso_utc(run.until),
            status="cancelled" if is_cancelled else job.status,
            progress=job.progress,
            reached_at=iso_utc(run.reached_at),
            reported=run.reported,
            known=run.known,
            left_out=run.left_out,
            error=None if job.error is None or is_cancelled else str(job.error.get("message")),
            created_at=iso_utc(run.created_at),
        )


class DetectionRunsAnswer(BaseModel):
    runs: list[DetectionRunAnswer] = Field(description="Newest first.")


@router.post("", status_code=202)
async def detect_in_recording(
    platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, body: DetectRecordingBody
) -> DetectionRunAnswer:
    """Look for people and objects in what a camera recorded. They become detections and events of the time at which they were
    filmed; what was reported before is not reported again."""
    if platform.detector is None:
        raise Conflict(NOT_INSTALLED)
    camera = await own_camera(platform, caller, camera_id)
    until = min(body.until, utc_now())
    if until <= body.since:
        raise InvalidInput("until: must be after from, and from must lie in the past")
    if until - body.since > MAX_SPAN:
        raise InvalidInput(f"until: at most {MAX_SPAN // timedelta(hours=1)} hours after from; request several spans")
    payload = DetectRecording(camera_key=camera.camera_key, since=body.since, until=until, looks_per_s=body.looks_per_s)
    async with platform.database.transaction() as tx:
        await lock_camera(tx, camera.camera_key)
        if not await recorded_spans(tx, camera.camera_key, payload.since, payload.until):
            raise NotFound(
                f"nothing was recorded then. Choose what camera {camera.camera_id} records",
                code="RECORDING_NOT_FOUND",
                details={"camera_id": camera.camera_id},
            )
        if (active := await active_run(tx, camera.camera_key)) is not None:
            raise Conflict(
                "A recording of this camera is being looked through already. Wait until it is done, or cancel it.",
                details={"job_id": str(active)},
            )
        queued = await platform.jobs.enqueue(tx, payload)
        await add_run(tx, queued.id, payload, requested_by=caller.user_id)
    return await _shown(platform, camera, queued.id)


@router.get("")
async def detection_runs(platform: CurrentPlatform, tx: CallerTransaction, camera_id: CameraId) -> DetectionRunsAnswer:
    """The newest runs over recordings of a camera."""
    camera = await need_camera(tx, normalize_camera_id(camera_id))
    found = await runs_of_camera(tx, camera.camera_key, limit=MAX_LISTED)
    async with platform.database.transaction() as inside:  # jobs without a video are for operators alone
        jobs = {run.job_id: await get_job(inside, run.job_id) for run in found}
    # Read again: counts are stored with the end of the job, and a run that is done must not have older ones.
    counted = await runs_of_camera(tx, camera.camera_key, limit=MAX_LISTED)
    return DetectionRunsAnswer(
        runs=[DetectionRunAnswer.of(run, job, camera) for run in counted if (job := jobs.get(run.job_id)) is not None]
    )


@router.get("/{job_id}")
async def detection_run(
    platform: CurrentPlatform, tx: CallerTransaction, camera_id: CameraId, job_id: RunId
) -> DetectionRunAnswer:
    """One run over recordings of a camera."""
    camera = await need_camera(tx, normalize_camera_id(camera_id))
    return await _shown(platform, camera, job_id)


@router.post("/{job_id}/cancel")
async def cancel_detection(
    platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, job_id: RunId
) -> DetectionRunAnswer:
    """End a run. One that is processed ends within seconds; what it found before stays."""
    camera = await own_camera(platform, caller, camera_id)
    await _shown(platform, camera, job_id)
    async with platform.database.transaction() as tx:
        await cancel_run(tx, job_id)
        job = await get_job(tx, job_id)
        if job is not None and job.status == "queued":
            with suppress(Conflict):  # a worker took it just now, and will see that it is cancelled
                await cancel_queued_job(tx, job_id, by=name_of(caller), on_failed=failed_job_handler(platform))
    return await _shown(platform, camera, job_id)


async def _shown(platform: Platform, camera: Camera, job_id: UUID) -> DetectionRunAnswer:
    async with platform.database.transaction() as tx:
        # The job first: counts are stored with its end, and a run that is done must not have older ones.
        job = await get_job(tx, job_id)
        run = await run_of_job(tx, camera.camera_key, job_id)
    if run is None or job is None:
        raise NotFound(f"camera {camera.camera_id} has no run {job_id}", code="RUN_NOT_FOUND")
    return DetectionRunAnswer.of(run, job, camera)
