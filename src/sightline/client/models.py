"""What the client returns: plain values. Fields that a newer server adds are in `raw`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    raw: Json = field(default_factory=dict, repr=False, compare=False)
    """The JSON of the API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChange:
    status: str
    at: datetime
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoInfo(_Answer):
    video_id: str
    name: str
    status: str
    """CREATED, UPLOADING, UPLOADED, PROCESSING, SPLITTING, PRINTING, COMPLETED (searchable) or FAILED."""
    index_status: str
    created_at: datetime
    updated_at: datetime
    error_reason: str | None = None
    size_bytes: int | None = None
    duration_ms: int | None = None
    fps: float | None = None
    width: int | None = None
    height: int | None = None
    media_note: str | None = None
    can_change: bool = True
    history: tuple[StatusChange, ...] = ()
    """Of one video; lists leave it out."""

    @property
    def is_searchable(self) -> bool:
        return self.status == "COMPLETED"

    @property
    def has_failed(self) -> bool:
        return self.status == "FAILED"


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelBox:
    """In pixels of the original, from its upper left corner."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    text: str
    t_start: int
    t_end: int
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment(_Answer):
    """Text that was shown or said from `t_start` to `t_end`, in ms of the video."""

    segment_id: str
    text: str
    t_start: int
    t_end: int
    confidence: float
    language: str
    frame_ms: int
    kind: str = "text"
    """`text`: shown on screen. `speech`: said."""
    bounding_box: PixelBox | None = None
    words: tuple[Word, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """Characters of the text, counted by code points; the end is not included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(_Answer):
    video_id: str
    video_name: str
    segment_id: str
    text: str
    t_start: int
    t_end: int
    match: str
    confidence: float
    language: str
    frame_ms: int
    thumbnail_url: str
    """Signed; expires."""
    play_url: str
    """Address of the page at this moment."""
    kind: str = "text"
    highlights: tuple[Highlight, ...] = ()
    bounding_box: PixelBox | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage(_Answer):
    page: int
    page_size: int
    total: int
    """Number of results on all pages."""
    hits: tuple[SearchResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame(_Answer):
    timestamp_ms: int
    path: str
    url: str
    """Signed; expires."""
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip(_Answer):
    clip_id: str
    video_id: str
    status: str
    """queued, processing, done or failed."""
    t_start: int
    t_end: int
    padding_ms: int
    created_at: datetime
    start_ms: int | None = None
    """Its actual start: padded, and within the video."""
    end_ms: int | None = None
    size_bytes: int | None = None
    url: str | None = None
    download_url: str | None = None
    error_reason: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventInfo(_Answer):
    """A security event."""

    id: int
    camera_id: str
    risk_score: int
    risk_level: str
    summary: str
    reasoning: str
    state: str
    version: int
    """Rises with each change that people notice."""
    started_at: datetime
    created_at: datetime
    object_types: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    behaviours: tuple[str, ...] = ()
    ended_at: datetime | None = None
    acknowledged_at: datetime | None = None
    acknowledged_by: str | None = None
    resolved_at: datetime | None = None
    resolved_by: str | None = None
    resolution_notes: str | None = None
    picture_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobInfo(_Answer):
    job_id: str
    job_type: str
    status: str
    progress: float
    created_at: datetime
    updated_at: datetime
    video_id: str | None = None
    message: str | None = None
    error: str | None = None
    retry_count: int = 0
    started_at: datetime | None = None
    finished_at: datetime | None = None
    result: Json | None = None


@dataclass(frozen=True, slots=True)
class UploadStatus:
    """How far an upload is. Bytes fall back when a part is sent again."""

    sent_bytes: int
    total_bytes: int
    action: str

    @property
    def fraction(self) -> float:
        return self.sent_bytes / self.total_bytes
