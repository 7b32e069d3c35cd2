"""What the caller can do with a video now, and what keeps them from the rest, so that a client offers only what works."""

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.pipelines import NEED_ORIGINAL, STAGES, can_retry, failed_stage
from sightline.api.usual_analyzer import has_annotations, usual_analyzer
from sightline.api.videos import EXAMPLE_ID, VideoId, may_change, may_cut
from sightline.contracts import Caller
from sightline.jobs import LatestJob, latest_of_videos
from sightline.speech import speech_status
from sightline.techniques import ANNOTATIONS, POSE, status_of
from sightline.videos import Video, VideoStatus, need_video

router = APIRouter(prefix="/videos/{video_id}/actions", tags=["videos"])

ANALYZE = "analyze"
DETECT = "detect"
TRANSCRIBE = "transcribe"
RUNNING = ("queued", "processing")

Obstacle = Literal[
    "not_owner",
    "not_ready",
    "running",
    "no_analyzer",
    "not_installed",
    "frames_removed",
    "original_removed",
    "nothing_failed",
    "file_unreadable",
    "turned_off",
]


class ActionAnswer(BaseModel):
    cannot: Obstacle | None = Field(
        examples=[None], description="What keeps the caller from it; null if it is possible."
    )


class LatestAnalysisAnswer(BaseModel):
    job_id: UUID = Field(examples=["0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"])
    status: str = Field(examples=["processing"], description="queued, processing, done or failed.")
    progress: float = Field(ge=0, le=1, examples=[0.4])
    error: str | None = Field(examples=[None], description="Why it failed, or why it is tried again.")
    analyzer: str | None = Field(examples=["pose"], description="What looks for techniques; null for other jobs.")


class VideoActionsAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    analyze: ActionAnswer = Field(description="Look for techniques: `POST /jobs`.")
    detect: ActionAnswer = Field(description="Look for people and objects: `POST /api/videos/{video_id}/detect`.")
    transcribe: ActionAnswer = Field(description="Write down what is said: `POST /api/videos/{video_id}/transcribe`.")
    clip: ActionAnswer = Field(description="`POST /clips`")
    download: ActionAnswer = Field(description="The original: `GET /videos/{video_id}/download`.")
    retry: ActionAnswer = Field(description="The failed stage: `POST /api/pipelines/{video_id}/retry`.")
    delete: ActionAnswer = Field(description="`DELETE /videos/{video_id}`")
    share: ActionAnswer = Field(description="`POST /api/shares`")
    latest_analysis: LatestAnalysisAnswer | None = Field(
        examples=[None], description="The newest job that looked for techniques."
    )
    has_analysis: bool = Field(
        examples=[False],
        description="Whether techniques were received, whoever looked for them: `GET /videos/{video_id}/analysis`.",
    )
    latest_detection: LatestAnalysisAnswer | None = Field(
        examples=[None], description="The newest job that looked for people and objects."
    )
    latest_transcription: LatestAnalysisAnswer | None = Field(
        examples=[None], description="The newest job that wrote down what is said."
    )


@router.get("")
async def video_actions(
    platform: CurrentPlatform, tx: CallerTransaction, caller: CurrentCaller, video_id: VideoId
) -> VideoActionsAnswer:
    """What the caller can do with the video now, and what came of the last analysis."""
    video = await need_video(tx, video_id)
    jobs = (await latest_of_videos(tx, [video_id], (*STAGES, ANALYZE, DETECT, TRANSCRIBE))).get(video_id, {})
    settings = platform.settings
    analyzer = await usual_analyzer(platform, video_id)
    has_input = analyzer != ANNOTATIONS or await has_annotations(platform.objects, video_id)
    latest, latest_detection, latest_transcription = jobs.get(ANALYZE), jobs.get(DETECT), jobs.get(TRANSCRIBE)
    speech = speech_status(settings.speech, state_dir=settings.state_dir)
    return VideoActionsAnswer(
        video_id=video_id,
        analyze=ActionAnswer(cannot=analyze_obstacle(video, caller, latest, analyzer=analyzer, has_input=has_input)),
        detect=ActionAnswer(
            cannot=original_job_obstacle(video, caller, latest_detection, is_installed=platform.detector is not None)
        ),
        transcribe=ActionAnswer(
            cannot=original_job_obstacle(video, caller, latest_transcription, is_installed=speech.is_offered)
        ),
        clip=ActionAnswer(cannot=original_obstacle(video) if may_cut(video, caller) else "not_owner"),
        download=ActionAnswer(cannot=original_obstacle(video)),
        retry=ActionAnswer(cannot=retry_obstacle(video, caller, jobs)),
        delete=ActionAnswer(cannot=None if may_change(video, caller) else "not_owner"),
        share=ActionAnswer(cannot=share_obstacle(video, caller, is_enabled=settings.shares.enabled)),
        latest_analysis=None if latest is None else _analysis(latest),
        has_analysis=await status_of(tx, video_id) is not None,
        latest_detection=None if latest_detection is None else _analysis(latest_detection),
        latest_transcription=None if latest_transcription is None else _analysis(latest_transcription),
    )


def analyze_obstacle(
    video: Video, caller: Caller, latest: LatestJob | None, *, analyzer: str, has_input: bool
) -> Obstacle | None:
    """`has_input` is whether the analyzer has what it reads, if that is not the video itself. Pure."""
    if not may_change(video, caller):
        return "not_owner"
    if latest is not None and latest.status in RUNNING:
        return "running"
    if not has_input:
        return "no_analyzer"
    if video.status is not VideoStatus.COMPLETED:
        return "not_ready"
    if analyzer == POSE:
        return original_obstacle(video)
    if analyzer != ANNOTATIONS and video.frames_removed_at is not None:
        return "frames_removed"
    return None


def share_obstacle(video: Video, caller: Caller, *, is_enabled: bool) -> Obstacle | None:
    if not is_enabled:
        return "turned_off"
    if not may_change(video, caller):
        return "not_owner"
    return None if video.s3_proxy_path is not None else "not_ready"


def original_job_obstacle(
    video: Video, caller: Caller, latest: LatestJob | None, *, is_installed: bool
) -> Obstacle | None:
    """Of jobs that read the original: detection and transcription."""
    if not is_installed:
        return "not_installed"
    if not may_change(video, caller):
        return "not_owner"
    if latest is not None and latest.status in RUNNING:
        return "running"
    return original_obstacle(video)


def original_obstacle(video: Video) -> Obstacle | None:
    if video.original_removed_at is not None:
        return "original_removed"
    is_there = not video.status.is_before_uploaded and not (
        video.failed_from is not None and video.failed_from.is_before_uploaded
    )
    return None if is_there else "not_ready"


def retry_obstacle(video: Video, caller: Caller, jobs: Mapping[str, LatestJob]) -> Obstacle | None:
    failed = failed_stage(jobs)
    if video.status is not VideoStatus.FAILED or failed is None:
        return "nothing_failed"
    if not may_change(video, caller):
        return "not_owner"
    if not can_retry(failed):
        return "file_unreadable"
    needs_original = failed.job_type in NEED_ORIGINAL
    return "original_removed" if needs_original and video.original_removed_at is not None else None


def _analysis(job: LatestJob) -> LatestAnalysisAnswer:
    error = job.error or {}
    return LatestAnalysisAnswer(
        job_id=job.id,
        status=job.status,
        progress=1 if job.status == "done" else round(job.progress, 4),
        error=None if not error else str(error.get("message") or error.get("type")),
        analyzer=job.payload.get("analyzer"),
    )
