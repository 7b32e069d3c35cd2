"""Public routes of share links: the player page and what it plays. They need no sign-in; the token is the permission.

Streams, clips and captions are sent through these routes rather than from signed addresses of the object store: each request checks
the link again, and serves nothing outside of it.
"""

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Annotated, Literal

import structlog
from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from sightline.api.dependencies import CurrentPlatform
from sightline.api.playback import PLAYLIST_TYPE
from sightline.api.serving.browser_language import AcceptLanguage
from sightline.api.serving.loggable_path import SHARES_PATH
from sightline.api.shares.opened import OpenedShare, is_open, open_share
from sightline.api.shares.player_page import failure_page, player_page
from sightline.bootstrap import Platform
from sightline.errors import InvalidInput, NotFound, Throttled
from sightline.media.clips import ClipStatus
from sightline.media.stream import PlaylistPart, part_of_stream, render_playlist
from sightline.objects import poster_key, proxy_prefix
from sightline.shares import count_view
from sightline.text.exports import ExportOptions, export_text, pages_of_segments

CLIP_TYPE = "video/mp4"
SEGMENT_TYPE = "video/mp2t"
CHECK_EVERY_S = 2.0
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
# Nothing that a link shows is kept by a browser or a proxy beyond the link, or found by a search engine.
_PRIVATE = {"cache-control": "private, no-store", "x-robots-tag": "noindex, nofollow", "referrer-policy": "no-referrer"}

log = structlog.get_logger(__name__)
router = APIRouter(prefix=SHARES_PATH.rstrip("/"), include_in_schema=False)

Token = Annotated[str, Path(max_length=100)]


@router.get("/{token}")
async def shared_page(
    platform: CurrentPlatform, request: Request, token: Token, accept_language: AcceptLanguage = None
) -> HTMLResponse:
    """The player page."""
    try:
        opened = await open_share(request, platform, token)
    except NotFound:
        return failure_page(accept_language, status=404)
    except Throttled as error:
        return failure_page(accept_language, status=429, retry_after=error.retry_after)
    part = None if opened.clip is not None else await _part(platform, opened)
    return player_page(opened, part, token, accept_language)


@router.get("/{token}/index.m3u8")
async def shared_playlist(platform: CurrentPlatform, request: Request, token: Token) -> Response:
    opened = await open_share(request, platform, token)
    part = await _part(platform, opened)
    await _count(platform, opened)
    names = {segment.name: f"segments/{segment.name}" for segment in part.segments}
    return Response(render_playlist(part.segments, names), media_type=PLAYLIST_TYPE, headers=_PRIVATE)


@router.get("/{token}/segments/{name}")
async def shared_segment(
    platform: CurrentPlatform, request: Request, token: Token, name: Annotated[str, Path(max_length=100)]
) -> StreamingResponse:
    """A segment of the stream that overlaps what is shared; any other is not found."""
    opened = await open_share(request, platform, token)
    part = await _part(platform, opened)
    if not part.has(name):
        raise NotFound("This link does not show that part of the video", code="SHARE_NOT_FOUND")
    return await _object(platform, token, f"{proxy_prefix(opened.video.id)}{name}", SEGMENT_TYPE)


@router.get("/{token}/clip.mp4")
async def shared_clip(
    platform: CurrentPlatform,
    request: Request,
    token: Token,
    byte_range: Annotated[str | None, Header(alias="range", max_length=100)] = None,
) -> StreamingResponse:
    opened = await open_share(request, platform, token)
    clip = opened.clip
    if clip is None or clip.status is not ClipStatus.DONE or clip.s3_path is None:
        raise NotFound("There is no clip behind this link, or it is not ready yet", code="SHARE_NOT_FOUND")
    if byte_range is None or byte_range.startswith("bytes=0-"):
        await _count(platform, opened)
    return await _object(platform, token, clip.s3_path, CLIP_TYPE, byte_range)


@router.get("/{token}/poster.jpg")
async def shared_poster(platform: CurrentPlatform, request: Request, token: Token) -> StreamingResponse:
    """Of a whole video: the poster of another link could show what is not in it."""
    opened = await open_share(request, platform, token)
    share = opened.share
    if share.start_ms is not None or share.clip_id is not None or opened.video.s3_thumb_path is None:
        raise NotFound("There is no poster behind this link", code="SHARE_NOT_FOUND")
    return await _object(platform, token, poster_key(opened.video.id), "image/jpeg")


@router.get("/{token}/captions.vtt")
async def shared_captions(
    platform: CurrentPlatform,
    request: Request,
    token: Token,
    kind: Annotated[Literal["text", "speech"], Query()] = "text",
) -> StreamingResponse:
    """Text or speech of what is shared, in the time of its player."""
    opened = await open_share(request, platform, token)
    if not opened.share.with_text:
        raise NotFound("This link shows no text", code="SHARE_NOT_FOUND")
    clip = opened.clip
    if clip is not None:
        start_ms, end_ms = clip.start_ms, clip.end_ms
        shift_ms = start_ms or 0
    else:
        start_ms, end_ms = opened.share.start_ms, opened.share.end_ms
        shift_ms = (await _part(platform, opened)).offset_ms
    pages = pages_of_segments(
        platform.database.transaction, opened.video.id, kind=kind, from_ms=start_ms, until_ms=end_ms
    )
    content = export_text(pages, ExportOptions("vtt", kind, shift_ms=shift_ms))
    return StreamingResponse(content, media_type="text/vtt; charset=utf-8", headers=_PRIVATE)


async def _part(platform: Platform, opened: OpenedShare) -> PlaylistPart:
    if opened.clip is not None:
        raise NotFound("This link shows a clip, not a stream", code="SHARE_NOT_FOUND")
    share = opened.share
    return await part_of_stream(platform.objects, opened.video, start_ms=share.start_ms, end_ms=share.end_ms)


async def _count(platform: Platform, opened: OpenedShare) -> None:
    async with platform.database.transaction() as tx:
        await count_view(tx, opened.share.id)
    log.info("share.viewed", share_id=str(opened.share.id))


async def _object(
    platform: Platform, token: str, key: str, media_type: str, byte_range: str | None = None
) -> StreamingResponse:
    """An object or a range of it, in chunks."""
    stored = await platform.objects.head(key)
    if stored is None:
        raise NotFound("What this link shows is not stored any more", code="SHARE_NOT_FOUND")
    start, end = 0, stored.size
    headers = {**_PRIVATE, "accept-ranges": "bytes", "content-security-policy": "sandbox"}
    chosen = _chosen_range(byte_range, stored.size)
    if chosen is not None:
        start, end = chosen
        headers["content-range"] = f"bytes {start}-{end - 1}/{stored.size}"
    headers["content-length"] = str(end - start)
    chunks = platform.objects.stream(key, start=start, end=end)
    return StreamingResponse(
        _while_open(chunks, partial(is_open, platform, token)),
        status_code=200 if chosen is None else 206,
        media_type=media_type,
        headers=headers,
    )


async def _while_open(chunks: AsyncIterator[bytes], check: Callable[[], Awaitable[bool]]) -> AsyncIterator[bytes]:
    """Stops in the middle when the link ends: a long clip on a slow line is not sent to its end."""
    checked_at = time.monotonic()
    async for chunk in chunks:
        if time.monotonic() - checked_at > CHECK_EVERY_S:
            if not await check():
                log.info("share.cut_off")
                return
            checked_at = time.monotonic()
        yield chunk


def _chosen_range(text: str | None, size: int) -> tuple[int, int] | None:
    """First byte and the one after the last; None for the whole. A form that is not understood counts as none."""
    found = None if text is None else _RANGE.fullmatch(text)
    if found is None or found[1] == found[2] == "":
        return None
    if found[1] == "":
        start, end = max(0, size - int(found[2])), size
    else:
        start, end = int(found[1]), size if found[2] == "" else min(int(found[2]) + 1, size)
    if start >= size or end <= start:
        raise InvalidInput(f"range: the file has {size} bytes")
    return start, end
