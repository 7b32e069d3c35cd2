"""Sprite sheets: small pictures across a video in one, for hovering. Browsers keep them."""

from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import Response

from sightline.api.dependencies import CallerTransaction, CurrentPlatform
from sightline.api.videos import VideoId
from sightline.errors import NotFound
from sightline.objects import sprite_sheet_key
from sightline.videos import need_video

KEPT_S = 30 * 24 * 3600

router = APIRouter(prefix="/videos", tags=["playback"])


@router.get(
    "/{video_id}/sprite.jpg",
    response_class=Response,
    responses={
        200: {"content": {"image/jpeg": {"example": ""}}, "description": "The pictures, laid out as the video says."},
        304: {"description": "The browser has this version."},
    },
)
async def sprite_sheet(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    video_id: VideoId,
    v: Annotated[
        str | None,
        Query(max_length=20, examples=["3fa1b2c4d5e6"], description="`version` of the video's `spriteSheet`."),
    ] = None,
    if_none_match: Annotated[
        str | None,
        Header(max_length=200, examples=['"3fa1b2c4d5e6"'], description="The ETag of what the client has."),
    ] = None,
) -> Response:
    """Small pictures across the video. With the version in the address, a browser may keep them for a month."""
    video = await need_video(tx, video_id)
    if video.sprite_sheet is None:
        raise NotFound(f"video {video_id} has no sprite sheet", code="SPRITE_SHEET_NOT_FOUND")
    version = str(video.sprite_sheet["version"])
    # Without the right version the content may change behind the address.
    kept = f"private, max-age={KEPT_S}, immutable" if v == version else "private, no-cache"
    headers = {"cache-control": kept, "etag": f'"{version}"'}
    if if_none_match is not None and f'"{version}"' in if_none_match:
        return Response(status_code=304, headers=headers)
    content = await platform.objects.get(sprite_sheet_key(video_id))
    return Response(content, media_type="image/jpeg", headers=headers)
