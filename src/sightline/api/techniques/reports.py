"""What an analysis says about itself: a summary, and where and why it says nothing."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId
from sightline.techniques import read_report
from sightline.videos import need_video

router = APIRouter(prefix="/videos/{video_id}/analysis", tags=["techniques"])

_EXAMPLE_JOB = "0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"


class SilentPartsAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    reason: str = Field(examples=["no candidate: nobody is seen"])
    ms: int = Field(examples=[12_000], description="For how long, altogether.")
    parts: int = Field(examples=[2], description="Parts of the video that it holds for.")
    start_ms: int = Field(examples=[4000], description="Start of the first of them.")


class AnalysisReportAnswer(BaseModel):
    job_id: UUID = Field(examples=[_EXAMPLE_JOB])
    analyzer: str = Field(examples=["pose"])
    summary: str = Field(examples=["2 candidates from poses, to be reviewed. They cover 40% of the video."])
    found: int = Field(examples=[2], description="Number of techniques.")
    left_out: int = Field(examples=[0], description="Found, but not valid; they are listed in the result.")
    silences: list[SilentPartsAnswer] = Field(
        description="Why nothing is said about parts of the video, longest first."
    )


@router.get("/report")
async def report(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    video_id: VideoId,
    job_id: Annotated[UUID, Query(examples=[_EXAMPLE_JOB], description="Of an analysis that was made here.")],
) -> AnalysisReportAnswer:
    """What an analysis found, in a sentence, and why it says nothing about the rest of the video."""
    async with platform.database.as_caller(caller.claims()) as tx:
        await need_video(tx, video_id)
    found = await read_report(platform.database, platform.objects, video_id=video_id, job_id=job_id)
    return AnalysisReportAnswer.model_validate(found, from_attributes=True)
