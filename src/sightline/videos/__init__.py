"""Owns the video record, its allowed moves, and the announcement of each move."""

from sightline.videos.feed import VideoFeed
from sightline.videos.moves import VideoMoves
from sightline.videos.progress_feed import ProgressFeed
from sightline.videos.removal import RemovalSweep, remove_video
from sightline.videos.store import (
    get_video,
    known_of,
    list_moves,
    list_videos,
    lock_video,
    need_video,
    set_media,
    set_size,
    unknown_video,
)
from sightline.videos.video import Move, MoveRefused, NewVideo, Video, VideoStatus

__all__ = [
    "Move",
    "MoveRefused",
    "NewVideo",
    "ProgressFeed",
    "RemovalSweep",
    "Video",
    "VideoFeed",
    "VideoMoves",
    "VideoStatus",
    "get_video",
    "known_of",
    "list_moves",
    "list_videos",
    "lock_video",
    "need_video",
    "remove_video",
    "set_media",
    "set_size",
    "unknown_video",
]
