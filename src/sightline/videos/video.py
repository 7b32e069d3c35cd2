"""The video record and the moves its status may make. Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class VideoStatus(StrEnum):
    CREATED = "CREATED"
    UPLOADING = "UPLOADING"
    UPLOADED = "UPLOADED"
    PROCESSING = "PROCESSING"
    SPLITTING = "SPLITTING"
    PRINTING = "PRINTING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Video:
    id: UUID
    owner_id: UUID
    team_id: UUID | None
    name: str
    status: VideoStatus
    index_status: str
    error_reason: str | None
    duration_ms: int | None
    created_at: datetime
    updated_at: datetime
