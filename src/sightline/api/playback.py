"""Playback: the stream, the poster and the original of a video, with signed URLs."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId, need_own_video
from sightline.media.stream import signed_original, signed_playlist, signed_poster
from sightline.objects import MAX_URL_EXPIRY_S
from sightline.timing import iso_utc, utc_now
from sightline.videos import need_video

PLAYLIST_TYPE = "application/vnd.apple.mpegurl"
# What an answer leads to expires; who may see it is asked each time.
_PRIVATE = {"cache-control": "private, no-store"}

router = APIRouter(prefix="/videos", tags=["playback"])


class DownloadAnswer(BaseModel):
    url: str = Field(examples=["https://videos.example/fiapx-videos/videos/original/…?X-Amz-Signature=…"])
    file_name: str = Field(examples=["lecture.mp4"])
    expires_at: str = Field(examples=["2026-01-17T10:15:00.000Z"])


class RevokedAnswer(BaseModel):
    is_revoked: bool = Field(examples=[True], description="False: the store cannot, as on S3.")
    valid_until: str | None = Field(
        examples=[None], description="Then no address that was given out works longer than until this time."
    )


@router.get(
    "/{video_id}/stream/index.m3u8",
    response_class=Response,
    responses={200: {"content": {PLAYLIST_TYPE: {"example": "#EXTM3U\n"}}, "description": "An HLS playlist."}},
)
async def stream(platform: CurrentPlatform, tx: CallerTransaction, video_id: VideoId) -> Response:
    """The HLS playlist. Segments have signed URLs that expire."""
    video = await need_video(tx, video_id)
    expires_s = platform.settings.media.playback_expiry_s
    text = await signed_playlist(platform.objects, video, expires_s=expires_s)
    return Response(text, media_type=PLAYLIST_TYPE, headers=_PRIVATE)


@router.get(
    "/{video_id}/poster",
    status_code=307,
    response_class=RedirectResponse,
    responses={
        307: {"content": {"image/jpeg": {"example": ""}}, "description": "The picture is where `location` says."}
    },
)
async def poster(platform: CurrentPlatform, tx: CallerTransaction, video_id: VideoId) -> RedirectResponse:
    """Redirect to the poster."""
    video = await need_video(tx, video_id)
    url = await signed_poster(platform.objects, video, expires_s=platform.settings.media.playback_expiry_s)
    return RedirectResponse(url, status_code=307, headers=_PRIVATE)


@router.get("/{video_id}/download")
async def download(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    video_id: VideoId,
    response: Response,
    expires_in: Annotated[
        int | None,
        Query(
            ge=1, le=MAX_URL_EXPIRY_S, description="Seconds for which the URL is valid, a day at most.", examples=[900]
        ),
    ] = None,
) -> DownloadAnswer:
    """Signed URL of the original, valid for 15 minutes by default."""
    video = await need_video(tx, video_id)
    expires = timedelta(seconds=expires_in or platform.settings.media.download_expiry_s)
    url = await signed_original(platform.objects, video, expires=expires)
    response.headers.update(_PRIVATE)
    return DownloadAnswer(url=url, file_name=video.name, expires_at=iso_utc(utc_now() + expires))


@router.post("/{video_id}/revoke-links")
async def revoke_links(platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId) -> RevokedAnswer:
    """End every address of the video that was given out: stream, frames, clips, downloads and parts. The owner and operators
    can. Addresses that are requested from now on work."""
    await need_own_video(platform, caller, video_id)
    is_revoked = await platform.objects.revoke_urls(video_id)
    valid_until = None if is_revoked else iso_utc(utc_now() + timedelta(seconds=MAX_URL_EXPIRY_S))
    return RevokedAnswer(is_revoked=is_revoked, valid_until=valid_until)
