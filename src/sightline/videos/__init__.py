"""Videos: the record, the allowed moves of its status, and the announcement of each move."""

from sightline.videos.due_store import (
    DueVideo,
    VideoPart,
    due_by_age,
    due_by_size,
    frames_stored,
    lock_retention,
    remove_part,
    videos_without_frames,
)
from sightline.videos.feed import VideoFeed
from sightline.videos.moves import VideoMoves
from sightline.videos.part_removal import PartRemovals
from sightline.videos.pipeline import PIPELINE_STAGES, PipelineStage
from sightline.videos.pipeline_job import PipelineJob
from sightline.videos.progress_feed import ProgressFeed
from sightline.videos.removal import RemovalSweep, remove_video
from sightline.videos.reported import CompleteVideo, ReportedStatuses
from sightline.videos.store import (
    completed_videos,
    get_video,
    known_videos,
    list_moves,
    list_videos,
    lock_video,
    need_video,
    set_media,
    set_media_note,
    set_size,
    unknown_video,
)
from sightline.videos.video import MoveRefused, NewVideo, Video, VideoMove, VideoStatus

__all__ = [
    "PIPELINE_STAGES",
    "CompleteVideo",
    "DueVideo",
    "MoveRefused",
    "NewVideo",
    "PartRemovals",
    "PipelineJob",
    "PipelineStage",
    "ProgressFeed",
    "RemovalSweep",
    "ReportedStatuses",
    "Video",
    "VideoFeed",
    "VideoMove",
    "VideoMoves",
    "VideoPart",
    "VideoStatus",
    "completed_videos",
    "due_by_age",
    "due_by_size",
    "frames_stored",
    "get_video",
    "known_videos",
    "list_moves",
    "list_videos",
    "lock_retention",
    "lock_video",
    "need_video",
    "remove_part",
    "remove_video",
    "set_media",
    "set_media_note",
    "set_size",
    "unknown_video",
    "videos_without_frames",
]
