"""The call of an external clock when a schedule is due."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, field_validator

from sightline.contracts.parsing import parse_model

SCHEDULED_TIME = "<aws.scheduler.scheduled-time>"
"""EventBridge Scheduler replaces this placeholder with the time; emulators may not."""


class ScheduleDue(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    schedule_id: UUID
    scheduled_time: datetime | None = None
    """The due time, if the clock sends it."""

    @field_validator("scheduled_time", mode="before")
    @classmethod
    def _drop_placeholder(cls, value: object) -> object:
        return None if value == SCHEDULED_TIME else value

    @field_validator("scheduled_time")
    @classmethod
    def _aware(cls, value: datetime | None) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError("the time has no zone")
        return value


def parse_schedule_due(payload: Any) -> ScheduleDue:
    """The call. Raises `InvalidInput` that names the invalid field."""
    return parse_model(ScheduleDue, payload, name="call of a schedule")
