"""`Security Event Created`: what the event bus is told of a security event that people should know of."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_serializer
from pydantic.alias_generators import to_camel

from sightline.errors import InvalidInput
from sightline.timing import iso_utc

SECURITY_SOURCE = "sightline.security"
SECURITY_EVENT_CREATED = "Security Event Created"

RiskLevel = Literal["low", "medium", "high", "critical"]


class SecurityEventCreated(BaseModel):
    """The `detail` of the event; one per security event, however often it is said."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)

    event_id: str = Field(min_length=1)
    user_id: UUID
    """Who is told: the owner of the camera or of the video."""
    user_email: str | None = None
    risk_level: RiskLevel
    risk_score: int = Field(ge=0, le=100)
    camera_id: str | None = None
    summary: str
    started_at: datetime
    thumbnail_key: str | None = None
    click_url: str | None = None

    @field_serializer("started_at")
    def _iso(self, moment: datetime) -> str:
        return iso_utc(moment)

    def to_detail(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def parse_security_event_created(event: Any) -> SecurityEventCreated:
    """The detail of a whole EventBridge event, or an error that names the field."""
    detail = event.get("detail") if isinstance(event, dict) else None
    try:
        return SecurityEventCreated.model_validate(detail)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(("detail", *(str(part) for part in first["loc"])))
        raise InvalidInput(f"invalid security notice: {where}: {first['msg']}") from error
