"""Messages as JSON, as the API and the command line return them."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, Field

from sightline.messages import Message
from sightline.timing import iso_utc

EXAMPLE_ID = "550e8400-e29b-41d4-a716-446655440000"
EXAMPLE_TIME = "2025-10-21T14:30:00.000Z"
EXAMPLE_CURSOR = f"2025-10-21T14:30:00.000000Z_{EXAMPLE_ID}"


class CreatedAnswer(BaseModel):
    message_id: str = Field(examples=[EXAMPLE_ID])
    status: str = Field(examples=["created"])
    created_date: str = Field(examples=[EXAMPLE_TIME])


class StepAnswer(BaseModel):
    status: str = Field(examples=["processing"])
    at: str = Field(examples=[EXAMPLE_TIME])
    by: str | None = Field(None, examples=["processor host:4711"])
    note: str | None = Field(None, examples=[None])


class MessageSummaryAnswer(BaseModel):
    message_id: str = Field(examples=[EXAMPLE_ID])
    message_type: str = Field(examples=["manual_notification"])
    stage: str = Field(examples=["dev"])
    status: str = Field(examples=["completed"], description="created, queued, processing, completed or failed.")
    created_by: str = Field(examples=["user:alice@example.com"])
    correlation_id: str = Field(examples=["660e9500-f39c-52e5-b827-557766551111"])
    channel: str = Field(examples=["ntfy"])
    title: str = Field(examples=["Backup"], description="Title of the notification.")
    created_date: str = Field(examples=[EXAMPLE_TIME])
    updated_date: str = Field(examples=[EXAMPLE_TIME])
    processing_started_at: str | None = Field(examples=[EXAMPLE_TIME])
    processing_completed_at: str | None = Field(examples=[EXAMPLE_TIME])
    error_message: str | None = Field(examples=[None], description="Why it failed or is postponed.")
    retry_count: int = Field(examples=[0], description="Attempts that failed.")
    notification_id: str | None = Field(
        examples=["sPs71M8A2T"], description="Id given by the notification service, once delivered."
    )
    is_kept: bool = Field(
        examples=[False], description="An email that is kept here, because no mail server is set; it was not sent."
    )

    @classmethod
    def of(cls, message: Message) -> Self:
        return cls.model_validate(_summary(message))


class MessageAnswer(MessageSummaryAnswer):
    payload: dict[str, Any] = Field(examples=[{"title": "Backup", "message": "It is done."}])
    history: list[StepAnswer]
    ttl: int | None = Field(
        examples=[1768833000], description="When the record expires, in seconds since 1970; null for never."
    )

    @classmethod
    def of(cls, message: Message) -> Self:
        whole = {
            "payload": dict(message.payload),
            "history": [step.to_json() for step in message.history],
            "ttl": message.ttl,
        }
        return cls.model_validate(_summary(message) | whole)


class MessagesAnswer(BaseModel):
    messages: list[MessageSummaryAnswer]
    next_cursor: str | None = Field(
        examples=[EXAMPLE_CURSOR], description="Pass it as `cursor` to get the next page; null at the end."
    )


class MetricsAnswer(BaseModel):
    period: str = Field(examples=["24h"])
    counts: dict[str, int] = Field(
        examples=[{"created": 0, "queued": 0, "processing": 1, "completed": 97, "failed": 2}],
        description="Messages created in the period, by current status.",
    )
    total: int = Field(examples=[100])
    success_rate: float | None = Field(
        examples=[0.9798], description="Share of finished messages that were delivered; null if none finished."
    )
    average_processing_ms: float | None = Field(examples=[41.5])
    recent_messages: list[MessageSummaryAnswer] = Field(description="The ten newest messages.")


def _summary(message: Message) -> dict[str, Any]:
    return {
        "message_id": message.message_id,
        "message_type": message.message_type,
        "stage": message.stage,
        "status": message.status,
        "created_by": message.created_by,
        "correlation_id": message.correlation_id,
        "channel": message.notification.channel,
        "title": message.notification.title,
        "created_date": iso_utc(message.created_date),
        "updated_date": iso_utc(message.updated_date),
        "processing_started_at": _time(message.processing_started_at),
        "processing_completed_at": _time(message.processing_completed_at),
        "error_message": message.error_message,
        "retry_count": message.retry_count,
        "notification_id": message.notification_id,
        "is_kept": message.is_kept,
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else iso_utc(moment)
