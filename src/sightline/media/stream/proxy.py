"""What `transcode` makes of a video, as the process that makes it and the job that stores it both know it."""

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
    """Of the original as it is shown."""
    was_copied: bool
    reasons: tuple[str, ...]
    """Why the picture was encoded anew."""

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Self:
        return cls(**found | {"reasons": tuple(found["reasons"])})
