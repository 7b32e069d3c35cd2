"""Frames of a finished video: those that show something new, all sampled ones, or all in one archive."""

from bisect import bisect_right
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentPlatform
from sightline.api.videos import VideoId
from sightline.db import Transaction
from sightline.errors import Conflict
from sightline.media.sampling import FrameObject, archive, get_overview, list_frames
from sightline.videos import Video, VideoStatus, need_video

LATEST_MS = 7 * 24 * 3600 * 1000
"""No video is longer."""

router = APIRouter(prefix="/videos", tags=["frames"])


class FrameAnswer(BaseModel):
    timestamp_ms: int = Field(examples=[1500])
    path: str = Field(examples=["frames/a1b2c3d4-e5f6-7890-abcd-ef1234567890/1500.jpg"])
    url: str = Field(examples=["https://videos.example/fiapx-videos/frames/…/1500.jpg?X-Amz-Signature=…"])
    size_bytes: int = Field(examples=[48_213])


class FramesAnswer(BaseModel):
    frames: list[FrameAnswer]
    total: int = Field(examples=[12], description="Number of frames that can be listed this way.")
    sampled: int = Field(examples=[312], description="Number of all sampled frames of the video.")
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
    is_all: Annotated[bool, Query(alias="all", description="All sampled frames.", examples=[False])] = False,
    at_ms: Annotated[
        int | None,
        Query(ge=0, le=LATEST_MS, description="Only the frame that was on screen at this time.", examples=[None]),
    ] = None,
) -> FramesAnswer:
    """Frames of a COMPLETED video in the order of time: those that show something new, such as slides and scenes.
    With `all`, every sampled frame."""
    video = await _completed(tx, video_id)
    sampled = await list_frames(platform.objects, video.id)
    if at_ms is not None:
        found = _on_screen(sampled, at_ms)
    elif is_all:
        found = sampled
    else:
        found = _overview(sampled, await get_overview(tx, video.id))
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
    return FramesAnswer(frames=answers, total=len(found), sampled=len(sampled), next_after_ms=next_after_ms)


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


def _overview(sampled: list[FrameObject], times: frozenset[int] | None) -> list[FrameObject]:
    """All frames if nothing is known about them, or if none of the overview is stored any more."""
    return [frame for frame in sampled if frame.timestamp_ms in (times or ())] or sampled


def _on_screen(sampled: list[FrameObject], at_ms: int) -> list[FrameObject]:
    """The last frame that was sampled until then; a frame is stored when something changes."""
    place = bisect_right(sampled, at_ms, key=lambda frame: frame.timestamp_ms)
    return sampled[max(0, place - 1) : max(1, place)]


async def _completed(tx: Transaction, video_id: VideoId) -> Video:
    video = await need_video(tx, video_id)
    if video.status is not VideoStatus.COMPLETED:
        raise Conflict(f"video {video_id} is {video.status}, not COMPLETED", details={"status": video.status})
    video.need_frames()
    return video
