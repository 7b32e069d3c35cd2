"""Signed ways to what is stored of a video, for people who may see it."""

import asyncio
from datetime import timedelta

from sightline.errors import NotFound
from sightline.media.stream.playlist import parse_playlist, render_playlist
from sightline.objects import ObjectStore, playlist_key, poster_key, proxy_prefix
from sightline.videos import Video

SIGNED_AT_ONCE = 200


async def signed_playlist(objects: ObjectStore, video: Video, *, expires_s: float) -> str:
    """The playlist with a signed address in the place of each segment's name: a private store plays like a public one."""
    if video.s3_proxy_path is None:
        raise not_ready(video, "stream")
    text = (await objects.get(playlist_key(video.id))).decode()
    segments = parse_playlist(text)
    keys = [f"{proxy_prefix(video.id)}{segment.name}" for segment in segments]
    signed = []
    for first in range(0, len(keys), SIGNED_AT_ONCE):
        part = keys[first : first + SIGNED_AT_ONCE]
        signed += await asyncio.gather(*(objects.sign_get(key, expires_s=expires_s) for key in part))
    return render_playlist(segments, {segment.name: url for segment, url in zip(segments, signed, strict=True)})


async def signed_poster(objects: ObjectStore, video: Video, *, expires_s: float) -> str:
    if video.s3_thumb_path is None:
        raise not_ready(video, "poster")
    return await objects.sign_get(poster_key(video.id), expires_s=expires_s)


async def signed_original(objects: ObjectStore, video: Video, *, expires: timedelta) -> str:
    """To save the original under the name that it was uploaded with."""
    if video.status.is_before_uploaded:
        raise not_ready(video, "original")
    return await objects.sign_get(
        video.s3_original_path,
        expires_s=expires.total_seconds(),
        download_as=video.name,
        content_type=video.content_type,
    )


def not_ready(video: Video, what: str) -> NotFound:
    return NotFound(f"video {video.id} is {video.status} and has no {what} yet", code=f"{what.upper()}_NOT_READY")
