"""Videos: what the caller may see of them."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from sightline.api.dependencies import CallerTransaction
from sightline.errors import NotFound
from sightline.timing import iso_utc
from sightline.videos import Video, get_video, list_videos

router = APIRouter(prefix="/videos", tags=["videos"])

_EXAMPLE_ID = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")


class VideoAnswer(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    video_id: UUID = Field(examples=[_EXAMPLE_ID])
    name: str = Field(examples=["lecture.mp4"])
    status: str = Field(examples=["UPLOADING"])
    index_status: str = Field(examples=["new"])
    error_reason: str | None = Field(None, examples=[None])
    duration_ms: int | None = Field(None, examples=[61_000])
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    updated_at: str = Field(examples=["2026-01-17T10:00:01.000Z"])


class VideosAnswer(BaseModel):
    videos: list[VideoAnswer]


@router.get("")
async def videos(
    tx: CallerTransaction,
    limit: Annotated[int, Query(ge=1, le=100, description="How many at the most.", examples=[20])] = 50,
) -> VideosAnswer:
    """The newest videos of the caller and the caller's teams."""
    return VideosAnswer(videos=[_answer(video) for video in await list_videos(tx, most=limit)])


@router.get("/{video_id}")
async def video(
    tx: CallerTransaction, video_id: Annotated[UUID, Path(description="The video's id.", examples=[_EXAMPLE_ID])]
) -> VideoAnswer:
    """One video. Somebody else's is as unknown as one that never was."""
    found = await get_video(tx, video_id)
    if found is None:
        raise NotFound(f"no video {video_id}", code="VIDEO_NOT_FOUND")
    return _answer(found)


def _answer(video: Video) -> VideoAnswer:
    return VideoAnswer(
        video_id=video.id,
        name=video.name,
        status=video.status,
        index_status=video.index_status,
        error_reason=video.error_reason,
        duration_ms=video.duration_ms,
        created_at=iso_utc(video.created_at),
        updated_at=iso_utc(video.updated_at),
    )
