"""Text on screen and speech: the reading of one frame, and the segments that people search. Pure."""

from dataclasses import dataclass
from typing import Any, Literal, Self
from uuid import UUID

SegmentKind = Literal["text", "speech"]
"""Shown on screen, or said."""

BlockKind = Literal["paragraph", "list", "cell", "caption"]

UNSURE_TEXT_BELOW = 0.8
UNSURE_SPEECH_BELOW = 0.6
"""Confidence below which people are told that the words may be others. Speech models give lower figures for the same doubt."""


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
class SpeechSegment:
    """A sentence, or a part of one, that was said."""

    text: str
    t_start: int
    t_end: int
    confidence: float
    language: str
    words: tuple[dict[str, Any], ...]
    """Each with `text`, `t_start`, `t_end` and `probability`."""


@dataclass(frozen=True, slots=True)
class BlockLine:
    """The place of a text in the reading order of its video."""

    block: int
    """The number of its block in the video."""
    kind: BlockKind
    line: int
    """Its number among the lines of the block."""
    appears_ms: int
    """When the texts that appear together with it begin; lists are ordered by it, then by block and line."""


def is_unsure(confidence: float, kind: SegmentKind) -> bool:
    """Whether the words may well be others."""
    return confidence < (UNSURE_TEXT_BELOW if kind == "text" else UNSURE_SPEECH_BELOW)


@dataclass(frozen=True, slots=True)
class TextSegment:
    """One showing of a text, from when it appears to when it disappears; or, with the kind `speech`, what was said."""

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
    kind: SegmentKind = "text"
    words: list[dict[str, Any]] | None = None
    """Of speech: the words with their times."""
    place: BlockLine | None = None
    """Of text on screen, once blocks were found."""
