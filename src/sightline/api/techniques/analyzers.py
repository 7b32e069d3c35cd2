"""Analyzers as they can be used on a video now: what each needs, and what it will take."""

from typing import Annotated, Literal, Self
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.usual_analyzer import has_annotations, usual_analyzer
from sightline.api.video_actions import ANALYZE, RUNNING
from sightline.api.videos import EXAMPLE_ID, VideoId, may_change
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.errors import NotFound, TransientFailure
from sightline.jobs import LatestJob, latest_of_videos
from sightline.techniques import (
    ANNOTATIONS,
    POSE,
    VISION_LLM,
    AnalysisEstimate,
    estimate_video,
    listed_analyzers,
)
from sightline.videos import Video, VideoStatus, need_video

router = APIRouter(prefix="/videos/{video_id}/analyzers", tags=["techniques"])

AnalyzerObstacle = Literal[
    "not_owner",
    "not_ready",
    "running",
    "no_annotations",
    "no_model",
    "not_installed",
    "frames_removed",
    "original_removed",
]


class EstimateAnswer(BaseModel):
    """What an analysis by a vision model will take."""

    calls: int = Field(examples=[25], description="Requests to the model, if none has to be repeated.")
    pictures: int = Field(examples=[290])
    prompt_tokens: int = Field(examples=[250_000], description="About; servers count pictures in different ways.")
    max_completion_tokens: int = Field(examples=[51_200], description="At most.")
    max_cost: float | None = Field(
        examples=[0.85],
        description="At most, by the prices in the settings and in their currency; null without prices.",
    )

    @classmethod
    def of(cls, found: AnalysisEstimate) -> Self:
        return cls.model_validate(found, from_attributes=True)


class VideoAnalyzerAnswer(BaseModel):
    name: str = Field(examples=["vision-llm"])
    about: str = Field(examples=["a vision model behind an OpenAI-compatible chat API"])
    is_default: bool = Field(examples=[True], description="Whether jobs that name no analyzer use it.")
    cannot: AnalyzerObstacle | None = Field(
        examples=[None], description="What keeps the caller from using it; null if it is possible."
    )
    server: str | None = Field(examples=["Ollama: llava"], description="Where its model is, if it calls one.")
    estimate: EstimateAnswer | None = Field(examples=[None], description="Of analyzers that call a model.")


class VideoAnalyzersAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    analyzers: list[VideoAnalyzerAnswer]


@router.get("")
async def analyzers(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    caller: CurrentCaller,
    video_id: VideoId,
    sampling_rate: Annotated[
        int, Query(ge=1, le=10_000, examples=[1], description="Analyze every n-th key frame.")
    ] = 1,
) -> VideoAnalyzersAnswer:
    """Every analyzer with what keeps the caller from using it on this video, and an estimate of what it will take."""
    video = await need_video(tx, video_id)
    latest = (await latest_of_videos(tx, [video_id], (ANALYZE,))).get(video_id, {}).get(ANALYZE)
    has_marked = await has_annotations(platform.objects, video_id)
    settings, state_dir = platform.settings.techniques, platform.settings.state_dir
    default = await usual_analyzer(platform, video_id)
    found = []
    for one in listed_analyzers(settings, state_dir=state_dir):
        needs = one.missing or ("no_annotations" if one.name == ANNOTATIONS and not has_marked else None)
        is_model = one.name == VISION_LLM and one.missing is None
        found.append(
            VideoAnalyzerAnswer(
                name=one.name,
                about=one.about,
                is_default=one.name == default,
                cannot=analyzer_obstacle(video, caller, latest, needs=needs, analyzer=one.name),
                server=f"{settings.server.label}: {settings.model_name}" if is_model else None,
                estimate=await _estimate(platform, video, sampling_rate) if is_model else None,
            )
        )
    return VideoAnalyzersAnswer(video_id=video_id, analyzers=found)


def analyzer_obstacle(
    video: Video,
    caller: Caller,
    latest: LatestJob | None,
    *,
    needs: AnalyzerObstacle | None,
    analyzer: str,
) -> AnalyzerObstacle | None:
    """`needs` is what the analyzer itself lacks. Pure."""
    if needs is not None:
        return needs
    if not may_change(video, caller):
        return "not_owner"
    if latest is not None and latest.status in RUNNING:
        return "running"
    if video.status is not VideoStatus.COMPLETED:
        return "not_ready"
    if analyzer == VISION_LLM and video.frames_removed_at is not None:
        return "frames_removed"
    return "original_removed" if analyzer == POSE and video.original_removed_at is not None else None


async def _estimate(platform: Platform, video: Video, sampling_rate: int) -> EstimateAnswer | None:
    try:
        found = await estimate_video(platform.settings.techniques, platform.objects, video, sampling_rate=sampling_rate)
    except (NotFound, TransientFailure):  # no key frames: not sampled yet, or removed
        return None
    return EstimateAnswer.of(found)
