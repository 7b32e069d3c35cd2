"""Clips: the record of a clip and the span it covers. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sightline.contracts.jobs import CaptionKind, ClipCaptions, ClipPart
from sightline.errors import InvalidInput

CLIP_FILE = "clip.mp4"
"""File name of a clip in the scratch directory."""


class ClipStatus(StrEnum):
    QUEUED = "queued"
    PROCESSING = "processing"
    DONE = "done"
    FAILED = "failed"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class VideoClip:
    id: str
    video_id: UUID
    status: ClipStatus
    t_start: int
    t_end: int
    padding_ms: int
    start_ms: int | None
    """Start of the covered span, with padding and within the video; None until the job has started, as is `end_ms`."""
    end_ms: int | None
    s3_path: str | None
    size_bytes: int | None
    error_reason: str | None
    created_at: datetime
    expires_at: datetime | None
    name: str | None = None
    captions: ClipCaptions = "none"
    caption_kind: CaptionKind = "both"
    parts: tuple[ClipPart, ...] = ()
    """Of a reel, in their order; empty for a clip of one part."""


@dataclass(frozen=True, slots=True)
class ClipSpan:
    start_ms: int
    end_ms: int

    @property
    def length_s(self) -> float:
        return (self.end_ms - self.start_ms) / 1000


def clip_span(t_start: int, t_end: int, padding_ms: int, duration_ms: int | None) -> ClipSpan:
    """The span of a clip with these times, within a video of this length if it is known."""
    if duration_ms is not None and t_start >= duration_ms:
        raise InvalidInput(f"t_start: the video ends at {duration_ms} ms, before the clip begins at {t_start} ms")
    end_ms = t_end + padding_ms
    return ClipSpan(max(0, t_start - padding_ms), end_ms if duration_ms is None else min(end_ms, duration_ms))


def part_spans(parts: Sequence[ClipPart], padding_ms: int, duration_ms: int | None) -> list[ClipSpan]:
    """The spans of a reel's parts, each with padding and within the video."""
    return [clip_span(part.t_start, part.t_end, padding_ms, duration_ms) for part in parts]


def whole_span(spans: Sequence[ClipSpan]) -> ClipSpan:
    """From the first to the last moment of several spans."""
    return ClipSpan(min(span.start_ms for span in spans), max(span.end_ms for span in spans))
