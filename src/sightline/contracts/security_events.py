"""The `Security Event Created` event, published for security events that notify people."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, field_serializer
from pydantic.alias_generators import to_camel

from sightline.contracts.parsing import parse_detail
from sightline.timing import iso_utc

SECURITY_SOURCE = "sightline.security"
SECURITY_EVENT_CREATED = "Security Event Created"

RiskLevel = Literal["low", "medium", "high", "critical"]


class SecurityEventCreated(BaseModel):
    """The `detail` of the event."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)

    event_id: str = Field(min_length=1)
    user_id: UUID
    """The recipient: the owner of the camera or of the video."""
    user_email: str | None = None
    risk_level: RiskLevel
    risk_score: int = Field(ge=0, le=100)
    camera_id: str | None = None
    summary: str
    started_at: datetime
    thumbnail_key: str | None = None
    click_url: str | None = None
    channel: str | None = None
    """The only channel to use, if there is one; otherwise those that the recipient chose."""

    @field_serializer("started_at")
    def _iso(self, moment: datetime) -> str:
        return iso_utc(moment)

    def to_detail(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def parse_security_event_created(event: Any) -> SecurityEventCreated:
    """The detail of an EventBridge event. Raises `InvalidInput` that names the invalid field."""
    return parse_detail(SecurityEventCreated, event, name="security event")
