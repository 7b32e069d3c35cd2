"""Key frames of a finished video: listed with signed URLs, or all in one archive."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentPlatform
from sightline.api.videos import VideoId
from sightline.db import Transaction
from sightline.errors import Conflict
from sightline.media.sampling import archive, list_frames
from sightline.videos import Video, VideoStatus, need_video

router = APIRouter(prefix="/videos", tags=["frames"])


class FrameAnswer(BaseModel):
    timestamp_ms: int = Field(examples=[1500])
    path: str = Field(examples=["frames/a1b2c3d4-e5f6-7890-abcd-ef1234567890/1500.jpg"])
    url: str = Field(examples=["https://videos.example/fiapx-videos/frames/…/1500.jpg?X-Amz-Signature=…"])
    size_bytes: int = Field(examples=[48_213])


class FramesAnswer(BaseModel):
    frames: list[FrameAnswer]
    total: int = Field(examples=[312], description="Number of key frames of the video.")
    next_after_ms: int | None = Field(
        None, description="Pass it as `after_ms` to get the next page; null at the end.", examples=[1500]
    )


@router.get("/{video_id}/frames")
async def frames(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    video_id: VideoId,
    limit: Annotated[int, Query(ge=1, le=500, description="Maximum number of results.", examples=[100])] = 100,
    after_ms: Annotated[int, Query(ge=-1, description="Only after this time.", examples=[1500])] = -1,
) -> FramesAnswer:
    """The key frames of a COMPLETED video in the order of time."""
    video = await _completed(tx, video_id)
    found = await list_frames(platform.objects, video.id)
    following = [frame for frame in found if frame.timestamp_ms > after_ms]
    shown = following[:limit]
    expires_s = platform.settings.media.playback_expiry_s
    answers = [
        FrameAnswer(
            timestamp_ms=frame.timestamp_ms,
            path=frame.key,
            url=await platform.objects.sign_get(frame.key, expires_s=expires_s),
            size_bytes=frame.size,
        )
        for frame in shown
    ]
    next_after_ms = shown[-1].timestamp_ms if len(following) > len(shown) else None
    return FramesAnswer(frames=answers, total=len(found), next_after_ms=next_after_ms)


@router.get(
    "/{video_id}/frames.zip",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {"example": "PK…"}}, "description": "All key frames."}},
)
async def frames_zip(platform: CurrentPlatform, tx: CallerTransaction, video_id: VideoId) -> StreamingResponse:
    """All key frames of a COMPLETED video as one ZIP archive, `{timestamp_ms}.jpg` each."""
    video = await _completed(tx, video_id)
    found = await list_frames(platform.objects, video.id)
    headers = {
        "content-disposition": f'attachment; filename="frames-{video.id}.zip"',
        "cache-control": "private, no-store",
    }
    return StreamingResponse(archive(platform.objects, found), media_type="application/zip", headers=headers)


async def _completed(tx: Transaction, video_id: VideoId) -> Video:
    video = await need_video(tx, video_id)
    if video.status is not VideoStatus.COMPLETED:
        raise Conflict(f"video {video_id} is {video.status}, not COMPLETED", details={"status": video.status})
    video.need_frames()
    return video
