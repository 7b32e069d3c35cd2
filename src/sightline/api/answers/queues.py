"""Queues and dead letters as JSON, as the API and the command line return them."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, Field

from sightline.api.answers.paged import PagedAnswerWithNext
from sightline.bus import (
    DeadLetterReport,
    QueueOverview,
    Received,
    attributes_to_json,
    dead_since,
    message_type_of,
    notification_in,
)
from sightline.timing import iso_utc

EXAMPLE_ID = "0f8b6c1e-2d4a-4f53-9b60-7c1d2e3f4a5b"
EXAMPLE_QUEUE = "video_analysis_events_db_consumer"
_EXAMPLE_DLQ = "video_analysis_events_dlq"


class QueueAnswer(BaseModel):
    queue: str = Field(examples=[EXAMPLE_QUEUE])
    visible: int = Field(examples=[12], description="Waiting to be received.")
    in_flight: int = Field(examples=[3], description="Received, not acknowledged yet.")
    delayed: int = Field(examples=[0], description="Delayed.")
    oldest_age_s: float | None = Field(examples=[4.2], description="Age of the oldest one waiting.")
    dead_letter_queue: str | None = Field(examples=[_EXAMPLE_DLQ])
    dead_letters: int = Field(examples=[1])

    @classmethod
    def of(cls, row: QueueOverview) -> Self:
        counts = row.counts
        return cls(
            queue=counts.queue,
            visible=counts.visible,
            in_flight=counts.in_flight,
            delayed=counts.delayed,
            oldest_age_s=counts.oldest_age_s,
            dead_letter_queue=row.dead_letter_queue,
            dead_letters=row.dead_letters,
        )


class QueuesAnswer(BaseModel):
    queues: list[QueueAnswer]


class DeadLetterAnswer(BaseModel):
    message_id: str = Field(examples=[EXAMPLE_ID])
    queue: str = Field(examples=[_EXAMPLE_DLQ], description="The dead-letter queue that holds it.")
    source_queue: str | None = Field(examples=[EXAMPLE_QUEUE], description="The queue that it failed in.")
    type: str | None = Field(
        examples=["bjj_event_detected"], description="Its event_type, message_type or detail-type."
    )
    reason: str | None = Field(examples=["the message is not JSON: Expecting value: line 1 column 1 (char 0)"])
    receive_count: int | None = Field(
        examples=[4],
        description="How often it was received; null if unknown. For letters that SQS moved itself, looking at them counts too.",
    )
    redrives: int = Field(examples=[0], description="How often it was redriven already.")
    sent_at: str | None = Field(examples=["2026-01-17T10:00:00.000Z"], description="Null if unknown.")
    first_received_at: str | None = Field(
        examples=["2026-01-17T10:00:00.012Z"], description="Null if unknown, or if it was never received."
    )
    dead_since: str | None = Field(
        examples=["2026-01-17T10:15:00.400Z"],
        description="When it entered the dead-letter queue; null if unknown: SQS does not record when it moves a message.",
    )

    @classmethod
    def of(cls, letter: Received) -> Self:
        return cls.model_validate(_summary(letter))


class DeadLettersAnswer(PagedAnswerWithNext):
    dead_letters: list[DeadLetterAnswer]


class WholeDeadLetterAnswer(DeadLetterAnswer):
    topic_arn: str | None = Field(examples=["arn:aws:sns:us-east-1:000000000000:video_analysis_events"])
    body: str = Field(
        examples=['{"event_type": "bjj_event_detected"'], description="The payload, without the envelope."
    )
    attributes: dict[str, dict[str, str]] = Field(
        examples=[{"event_type": {"Type": "String", "Value": "bjj_event_detected"}}]
    )
    context: dict[str, str] = Field(
        examples=[{"correlation_id": "c0ffee"}], description="Correlation id and trace of the sender."
    )

    @classmethod
    def of(cls, letter: Received) -> Self:
        said = notification_in(letter)
        return cls.model_validate(
            _summary(letter)
            | {
                "topic_arn": said.topic_arn,
                "body": said.body,
                "attributes": attributes_to_json(said.attributes),
                "context": dict(letter.context),
            }
        )


class ReportAnswer(BaseModel):
    queue: str = Field(examples=[EXAMPLE_QUEUE])
    dry_run: bool = Field(examples=[False])
    matched: int = Field(examples=[3], description="Messages selected by the request.")
    moved: int = Field(examples=[2], description="Redriven, or discarded; 0 in a dry run.")
    skipped: int = Field(examples=[1], description="Skipped because they were redriven too often already.")
    without_source: int = Field(examples=[0], description="Skipped because their queue does not exist any more.")
    by_source: dict[str, int] = Field(examples=[{EXAMPLE_QUEUE: 2}], description="Moved, or in a dry run to be moved.")
    ids: list[str] = Field(examples=[[EXAMPLE_ID]], description="The selected messages.")
    not_found: list[str] = Field(examples=[[EXAMPLE_ID]], description="Requested ids that do not exist.")
    has_more: bool = Field(examples=[False], description="More are left; repeat the request.")

    @classmethod
    def of(cls, report: DeadLetterReport) -> Self:
        return cls(
            queue=report.queue,
            dry_run=report.is_dry_run,
            matched=report.matched,
            moved=report.moved,
            skipped=report.skipped,
            without_source=report.without_source,
            by_source=dict(report.by_source),
            ids=list(report.ids),
            not_found=list(report.not_found),
            has_more=report.has_more,
        )


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else iso_utc(moment)


def _summary(letter: Received) -> dict[str, Any]:
    return {
        "message_id": letter.message_id,
        "queue": letter.queue,
        "source_queue": letter.source_queue,
        "type": message_type_of(notification_in(letter)),
        "reason": letter.dead_reason,
        "receive_count": letter.receive_count,
        "redrives": letter.redrives,
        "sent_at": _time(letter.sent_at),
        "first_received_at": _time(letter.first_received_at),
        "dead_since": _time(dead_since(letter)),
    }
