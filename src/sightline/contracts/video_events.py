"""`Video Status Changed` of document 004: what the event bus is told about every move of a video."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_serializer
from pydantic.alias_generators import to_camel

from sightline.errors import InvalidInput
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
    """Where the finished video is found; told with COMPLETED."""
    error_reason: str | None = None
    """Told with FAILED."""
    changed_at: datetime
    move: int = Field(ge=1)
    """The number of this move in the video's history: (video_id, move) names it for ever."""

    @field_serializer("changed_at")
    def _iso(self, moment: datetime) -> str:
        return iso_utc(moment)

    def to_detail(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def parse_status_changed(event: Any) -> VideoStatusChanged:
    """The detail of a whole EventBridge event, or an error that names the field."""
    detail = event.get("detail") if isinstance(event, dict) else None
    try:
        return VideoStatusChanged.model_validate(detail)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(("detail", *(str(part) for part in first["loc"])))
        raise InvalidInput(f"invalid video event: {where}: {first['msg']}") from error
