"""Where what is made of a video is kept (document 001). Pure."""

from uuid import UUID


def proxy_prefix(video_id: UUID) -> str:
    return f"videos/proxy/{video_id}/"


def playlist_key(video_id: UUID) -> str:
    return f"{proxy_prefix(video_id)}index.m3u8"


def poster_key(video_id: UUID) -> str:
    return f"thumbs/{video_id}/poster.jpg"


def frames_prefix(video_id: UUID) -> str:
    return f"frames/{video_id}/"


def clip_key(video_id: UUID, clip_id: str) -> str:
    return f"videos/clips/{video_id}/{clip_id}.mp4"
