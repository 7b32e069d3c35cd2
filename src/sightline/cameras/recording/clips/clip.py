"""The clip of an event. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

ClipState = Literal["queued", "processing", "done", "failed"]
CLIP_FILE = "clip.mp4"
POSTER_FILE = "poster.jpg"
PREVIEW_FILE = "preview.mp4"


@dataclass(frozen=True, slots=True)
class EventClip:
    event_id: int
    camera_key: UUID
    state: ClipState
    since: datetime
    until: datetime
    started_at: datetime | None
    ended_at: datetime | None
    size_bytes: int | None
    left_out: int
    """Segments of the requested time that are not in it: damaged, or of another resolution than the event itself."""
    error_reason: str | None
    updated_at: datetime

    def covers(self, until: datetime) -> bool:
        """Whether it shows, or is going to show, the event to its end."""
        return self.until >= until
