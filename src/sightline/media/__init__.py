"""Owns pictures out of video: stream, poster, key frames, clips."""

from sightline.media.settings import MediaSettings

__all__ = ["MediaSettings"]
