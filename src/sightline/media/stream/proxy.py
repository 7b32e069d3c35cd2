"""The result of `transcode`, shared by the sandboxed work and the job."""

from dataclasses import dataclass
from typing import Any, Self

STREAM_DIRECTORY = "stream"
"""The directory with the playlist and its segments."""
PLAYLIST_FILE = "index.m3u8"
POSTER_FILE = "poster.jpg"


@dataclass(frozen=True, slots=True)
class ProxyResult:
    duration_ms: int
    fps: float | None
    width: int
    height: int
    """Height of the upright original, as `width`."""
    was_copied: bool
    reasons: tuple[str, ...]
    """Why the video stream was not copied."""
    note: str | None = None
    """What people should know of the file: that it is cut off."""
    has_sound: bool = False

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Self:
        return cls(**found | {"reasons": tuple(found["reasons"])})
