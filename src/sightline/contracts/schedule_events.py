"""What a clock outside says when a schedule is due: which one, and for when."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from sightline.errors import InvalidInput

SCHEDULED_TIME = "<aws.scheduler.scheduled-time>"
"""EventBridge Scheduler puts the time in its place; emulators may leave it as it is."""


class ScheduleDue(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    schedule_id: UUID
    scheduled_time: datetime | None = None
    """When the clock means that it is due, if it says so."""

    @field_validator("scheduled_time", mode="before")
    @classmethod
    def _left_as_it_is(cls, value: object) -> object:
        return None if value == SCHEDULED_TIME else value

    @field_validator("scheduled_time")
    @classmethod
    def _aware(cls, value: datetime | None) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError("the time has no zone")
        return value


def parse_schedule_due(payload: Any) -> ScheduleDue:
    """What was said, or an error that names the field."""
    try:
        return ScheduleDue.model_validate(payload)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"invalid call of a schedule: {field}: {first['msg']}") from error
