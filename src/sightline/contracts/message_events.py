"""The `message_created` event of document 002: identifiers only, written as 1.0, read as 1.0 or 2.0."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from sightline.contracts.parsing import parse_model
from sightline.errors import InvalidInput
from sightline.timing import iso_utc

SCHEMA_VERSIONS = ("1.0", "2.0")
MAX_EVENT_BYTES = 1024

Stage = Literal["dev", "stage", "prod"]
Source = Literal["scheduler", "web-api"]


class _MessageEventModel(BaseModel):
    # Fields of later versions are ignored.
    model_config = ConfigDict(extra="ignore", frozen=True)


class MessageIds(_MessageEventModel):
    message_id: str = Field(min_length=1)
    message_type: str = Field(min_length=1)
    stage: Stage
    created_by: str = Field(min_length=1)
    correlation_id: str


class Metadata(_MessageEventModel):
    region: str
    environment: str


class MessageCreated(_MessageEventModel):
    schema_version: str = "1.0"
    event_type: Literal["message_created"] = "message_created"
    event_id: str = Field(min_length=1)
    timestamp: datetime
    source: Source
    message: MessageIds
    metadata: Metadata
    priority: Literal["low", "normal", "high"] | None = None
    retry_policy: dict[str, Any] | None = None

    @field_serializer("timestamp")
    def _iso(self, moment: datetime) -> str:
        return iso_utc(moment)

    def to_json(self) -> str:
        """The JSON that is published; 1.0 has neither priority nor retry policy."""
        return self.model_dump_json(exclude_none=True)


def parse_message_event(payload: Any) -> MessageCreated:
    """The event. Raises `InvalidInput` that names the invalid field, or the unsupported version in the words of the document."""
    version = payload.get("schema_version") if isinstance(payload, dict) else None
    if version not in SCHEMA_VERSIONS:
        raise InvalidInput(f"unsupported schema version: {version}")
    return parse_model(MessageCreated, payload, name="message_created event")
