"""The result of `transcode`, shared by the sandboxed work and the job."""

from dataclasses import dataclass
from typing import Any, Self

from sightline.media.stream.sprite_rules import SpriteSheet

STREAM_DIRECTORY = "stream"
"""The directory with the playlist and its segments."""
PLAYLIST_FILE = "index.m3u8"
POSTER_FILE = "poster.jpg"
SPRITE_FILE = "sprite.jpg"


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
    sprite_sheet: SpriteSheet | None = None

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Self:
        sheet = found.get("sprite_sheet")
        known = {
            "reasons": tuple(found["reasons"]),
            "sprite_sheet": None if sheet is None else SpriteSheet(**sheet),
        }
        return cls(**found | known)
