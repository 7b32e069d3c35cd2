"""The `Video Status Changed` event of document 004, published for every status change of a video."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, field_serializer
from pydantic.alias_generators import to_camel

from sightline.contracts.parsing import parse_detail
from sightline.timing import iso_utc

VIDEO_SOURCE = "fiapx.video"
STATUS_CHANGED = "Video Status Changed"


class VideoStatusChanged(BaseModel):
    """The `detail` of the event."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)

    video_id: UUID
    status: str = Field(min_length=1)
    previous_status: str | None = None
    user_id: UUID | None = None
    user_email: str | None = None
    video_name: str
    download_url: str | None = None
    """Download URL of the finished video; sent with COMPLETED."""
    error_reason: str | None = None
    """Sent with FAILED."""
    changed_at: datetime
    move: int = Field(ge=1)
    """Number of the status change in the history of the video; (video_id, move) identifies it permanently."""

    @field_serializer("changed_at")
    def _iso(self, moment: datetime) -> str:
        return iso_utc(moment)

    def to_detail(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def parse_status_changed(event: Any) -> VideoStatusChanged:
    """The detail of an EventBridge event. Raises `InvalidInput` that names the invalid field."""
    return parse_detail(VideoStatusChanged, event, name="video event")
