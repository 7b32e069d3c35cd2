"""Videos: the record, the allowed moves of its status, and the announcement of each move."""

from sightline.videos.collections import (
    MAX_COLLECTIONS,
    Collection,
    add_collection,
    change_collection_videos,
    collections_of,
    delete_collection,
    list_collections,
    need_collection,
    rename_collection,
)
from sightline.videos.details import (
    MAX_DESCRIPTION_LENGTH,
    MAX_TAG_LENGTH,
    MAX_TAGS,
    clean_description,
    clean_tags,
)
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
from sightline.videos.listing import VideoFilter, VideoOrder, list_videos
from sightline.videos.moves import VideoMoves
from sightline.videos.names import MAX_FOUND, FoundVideo, find_videos, read_videos, set_details
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
    lock_video,
    need_video,
    set_media,
    set_media_note,
    set_size,
    set_sprite_sheet,
    to_video,
    unknown_video,
)
from sightline.videos.trash import list_trash, move_to_trash, need_trashed, restore_videos
from sightline.videos.video import MoveRefused, NewVideo, Video, VideoMove, VideoStatus, new_video

__all__ = [
    "MAX_COLLECTIONS",
    "MAX_DESCRIPTION_LENGTH",
    "MAX_FOUND",
    "MAX_TAGS",
    "MAX_TAG_LENGTH",
    "PIPELINE_STAGES",
    "Collection",
    "CompleteVideo",
    "DueVideo",
    "FoundVideo",
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
    "VideoFilter",
    "VideoMove",
    "VideoMoves",
    "VideoOrder",
    "VideoPart",
    "VideoStatus",
    "add_collection",
    "change_collection_videos",
    "clean_description",
    "clean_tags",
    "collections_of",
    "completed_videos",
    "delete_collection",
    "due_by_age",
    "due_by_size",
    "find_videos",
    "frames_stored",
    "get_video",
    "known_videos",
    "list_collections",
    "list_moves",
    "list_trash",
    "list_videos",
    "lock_retention",
    "lock_video",
    "move_to_trash",
    "need_collection",
    "need_trashed",
    "need_video",
    "new_video",
    "read_videos",
    "remove_part",
    "remove_video",
    "rename_collection",
    "restore_videos",
    "set_details",
    "set_media",
    "set_media_note",
    "set_size",
    "set_sprite_sheet",
    "to_video",
    "unknown_video",
    "videos_without_frames",
]
