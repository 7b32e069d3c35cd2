"""Schedules as JSON, as the API and the command line return them."""

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.messages.schedules import Schedule
from sightline.timing import iso_utc

EXAMPLE_ID = UUID("2f1c3a52-0d4b-4c58-9f52-6f9d3a1c5e02")
EXAMPLE_TIME = "2026-01-17T10:00:00.000Z"


class ScheduleAnswer(BaseModel):
    schedule_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str = Field(examples=["daily-report"])
    expression: str = Field(examples=["cron(0 9 ? * MON-FRI *)"])
    zone: str = Field(examples=["America/Sao_Paulo"])
    message_type: str = Field(examples=["manual_notification"])
    payload: dict[str, Any] = Field(examples=[{"message": "Look at the report."}])
    channel: str = Field(examples=["ntfy"])
    state: str = Field(examples=["active"], description="active, paused, or finished (no further runs).")
    next_tick: str | None = Field(examples=[EXAMPLE_TIME])
    last_tick: str | None = Field(examples=[None])

    @classmethod
    def of(cls, schedule: Schedule) -> Self:
        return cls(
            schedule_id=schedule.schedule_id,
            name=schedule.name,
            expression=schedule.expression,
            zone=schedule.zone,
            message_type=schedule.message_type,
            payload=dict(schedule.payload),
            channel=schedule.notification.channel,
            state=schedule.state,
            next_tick=_time(schedule.next_tick),
            last_tick=_time(schedule.last_tick),
        )


class SchedulesAnswer(BaseModel):
    schedules: list[ScheduleAnswer]


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else iso_utc(moment)
