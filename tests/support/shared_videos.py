"""Videos with a stream and text that can be shared, without encoding anything."""

from uuid import UUID, uuid4

from sightline.bootstrap import Platform
from sightline.media.stream.playlist import PlaylistSegment, render_playlist
from sightline.objects import clip_key, playlist_key, poster_key, proxy_prefix
from support.screen_text import insert_video, one_after_another, read_and_index

SEGMENT_S = 6


async def add_shareable(platform: Platform, owner: UUID, *, segments: int = 5, name: str = "lecture.mp4") -> UUID:
    """A video of 30 s in segments of 6 s whose bytes say their number; each second has a text."""
    video_id = await insert_video(platform.database, owner=owner, name=name)
    texts = one_after_another(*(f"second {'abcdefghijklmnopqrstuvwxyz'[at]}" for at in range(20)))
    await read_and_index(platform.database, platform.videos, video_id, texts)
    names = [f"segment_{number:05}.ts" for number in range(segments)]
    for number, segment in enumerate(names):
        await platform.objects.put(f"{proxy_prefix(video_id)}{segment}", f"bytes of {number}".encode())
    playlist = render_playlist([PlaylistSegment(segment, SEGMENT_S) for segment in names])
    await platform.objects.put(playlist_key(video_id), playlist.encode())
    await platform.objects.put(poster_key(video_id), b"poster")
    async with platform.database.transaction() as tx:
        await tx.execute(
            "UPDATE videos SET s3_proxy_path = $2, s3_thumb_path = $3, duration_ms = $4 WHERE id = $1",
            video_id,
            playlist_key(video_id),
            poster_key(video_id),
            segments * SEGMENT_S * 1000,
        )
    return video_id


async def add_clip(platform: Platform, video_id: UUID, content: bytes, *, status: str = "done") -> str:
    clip_id = str(uuid4())
    key = clip_key(video_id, clip_id)
    await platform.objects.put(key, content)
    async with platform.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO clips (id, video_id, status, t_start, t_end, padding_ms, start_ms, end_ms, s3_path, size_bytes,"
            " expires_at, name) VALUES ($1, $2, $3, 2000, 5000, 0, 2000, 5000, $4, $5, now() + interval '1 day', 'The end')",
            clip_id,
            video_id,
            status,
            key,
            len(content),
        )
    return clip_id
