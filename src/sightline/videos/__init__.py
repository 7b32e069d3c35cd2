"""Owns the video record, its allowed moves, and the announcement of each move."""

from sightline.videos.store import get_video, list_videos
from sightline.videos.video import Video, VideoStatus

__all__ = ["Video", "VideoStatus", "get_video", "list_videos"]
