"""Text on screen: the reading of one frame, and the segment that readings are merged into. Pure."""

from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Box:
    """The position of a text, in pixels of the original frame."""

    x: int
    y: int
    width: int
    height: int

    def to_json(self) -> dict[str, int]:
        return {"x": self.x, "y": self.y, "width": self.width, "height": self.height}

    @classmethod
    def of(cls, value: dict[str, Any]) -> Self:
        return cls(*(round(value[name]) for name in ("x", "y", "width", "height")))


@dataclass(frozen=True, slots=True)
class TextReading:
    """The text of one region of one key frame. Times are media time in ms."""

    text: str
    t_start: int
    """The frame's time."""
    t_end: int
    """The next key frame's time, or the video's end."""
    confidence: float
    """0 to 1."""
    box: Box
    language: str = "eng"


@dataclass(frozen=True, slots=True)
class TextSegment:
    """One showing of a text, from when it appears to when it disappears."""

    id: UUID
    video_id: UUID
    text: str
    normalized_text: str
    t_start: int
    t_end: int
    confidence: float
    box: Box
    language: str
    frame_ms: int
    """The time of the key frame that shows it best; `box` is its position there."""
    readings: int
