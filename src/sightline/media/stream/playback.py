"""Playback: signed URLs for the stream, the poster and the original of a video."""

from datetime import timedelta

from sightline.errors import NotFound
from sightline.media.stream.playlist import parse_playlist, render_playlist
from sightline.media.stream.playlist_part import PlaylistPart, part_of_playlist
from sightline.objects import ObjectStore, playlist_key, poster_key, proxy_prefix, sign_gets
from sightline.videos import Video


async def signed_playlist(objects: ObjectStore, video: Video, *, expires_s: float) -> str:
    """The playlist with a signed URL for each segment, so that a private object store can be played."""
    if video.s3_proxy_path is None:
        raise not_ready(video, "stream")
    text = (await objects.get(playlist_key(video.id))).decode()
    segments = parse_playlist(text)
    keys = [f"{proxy_prefix(video.id)}{segment.name}" for segment in segments]
    signed = await sign_gets(objects, keys, expires_s=expires_s)
    return render_playlist(segments, {segment.name: url for segment, url in zip(segments, signed, strict=True)})


async def part_of_stream(
    objects: ObjectStore, video: Video, *, start_ms: int | None, end_ms: int | None
) -> PlaylistPart:
    """The segments of the stream that overlap a range; all of them without one."""
    if video.s3_proxy_path is None:
        raise not_ready(video, "stream")
    segments = parse_playlist((await objects.get(playlist_key(video.id))).decode())
    return part_of_playlist(segments, start_ms, end_ms)


async def signed_poster(objects: ObjectStore, video: Video, *, expires_s: float) -> str:
    if video.s3_thumb_path is None:
        raise not_ready(video, "poster")
    return await objects.sign_get(poster_key(video.id), expires_s=expires_s)


async def signed_original(objects: ObjectStore, video: Video, *, expires: timedelta) -> str:
    """URL that downloads the original under its uploaded name."""
    if video.status.is_before_uploaded:
        raise not_ready(video, "original")
    video.need_original()
    return await objects.sign_get(
        video.s3_original_path,
        expires_s=expires.total_seconds(),
        download_as=video.name,
        content_type=video.content_type,
    )


def not_ready(video: Video, what: str) -> NotFound:
    return NotFound(f"video {video.id} is {video.status} and has no {what} yet", code=f"{what.upper()}_NOT_READY")
