"""Videos: the record, the allowed moves of its status, and the announcement of each move."""

from sightline.videos.feed import VideoFeed
from sightline.videos.moves import VideoMoves
from sightline.videos.pipeline import PIPELINE_STAGES, PipelineStage
from sightline.videos.pipeline_job import PipelineJob
from sightline.videos.progress_feed import ProgressFeed
from sightline.videos.removal import RemovalSweep, remove_video
from sightline.videos.store import (
    get_video,
    known_videos,
    list_moves,
    list_videos,
    lock_video,
    need_video,
    set_media,
    set_size,
    unknown_video,
)
from sightline.videos.video import MoveRefused, NewVideo, Video, VideoMove, VideoStatus

__all__ = [
    "PIPELINE_STAGES",
    "MoveRefused",
    "NewVideo",
    "PipelineJob",
    "PipelineStage",
    "ProgressFeed",
    "RemovalSweep",
    "Video",
    "VideoFeed",
    "VideoMove",
    "VideoMoves",
    "VideoStatus",
    "get_video",
    "known_videos",
    "list_moves",
    "list_videos",
    "lock_video",
    "need_video",
    "remove_video",
    "set_media",
    "set_size",
    "unknown_video",
]
