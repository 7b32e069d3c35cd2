"""Looks at a video: small grey pictures at an even rate, and the whole picture of those that are worth it."""

from sightline.media.looks.video_looks import VideoLook, VideoLooks, open_looks

__all__ = ["VideoLook", "VideoLooks", "open_looks"]
