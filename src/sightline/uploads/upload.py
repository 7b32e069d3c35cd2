"""Upload records."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sightline.uploads.plan import UploadPlan


class UploadState(StrEnum):
    OPEN = "open"
    ABORTING = "aborting"
    """Being aborted in the store."""
    COMPLETED = "completed"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Upload:
    video_id: UUID
    store_upload_id: str
    state: UploadState
    total_size: int | None
    part_size: int | None
    total_parts: int | None
    next_part: int
    etag: str | None
    created_at: datetime
    touched_at: datetime
    ended_at: datetime | None
    context: Mapping[str, str] | None = None
    """Correlation id and trace of the request that began it."""

    @property
    def plan(self) -> UploadPlan | None:
        """None if the client did not declare the size."""
        if self.total_size is None or self.part_size is None:
            return None
        return UploadPlan(self.total_size, self.part_size)


@dataclass(frozen=True, slots=True)
class UploadPart:
    """A part that arrived."""

    number: int
    etag: str
    size: int | None
    uploaded_at: datetime


@dataclass(frozen=True, slots=True)
class PartUrl:
    """A URL to PUT one part to."""

    number: int
    url: str
    size: int | None
    expires_at: datetime
