"""The message record of document 002, how it is to be told, and the moves it makes. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.contracts.message_events import Source, Stage

Status = Literal["created", "queued", "processing", "completed", "failed"]
Priority = Literal["low", "normal", "high", "critical"]
Channel = Literal["log", "ntfy", "webhook", "email"]

STATUSES: tuple[Status, ...] = ("created", "queued", "processing", "completed", "failed")
CHANNELS: tuple[Channel, ...] = ("log", "ntfy", "webhook", "email")
RETENTION = timedelta(days=90)
MAX_ERROR_LENGTH = 1000

# What a processor may take in hand; `processing` besides, once the lease has ended.
CLAIMABLE: tuple[Status, ...] = ("created", "queued", "failed")


class NotificationRequest(BaseModel):
    """How a message is told: by which channel, to whom, and in which words."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    channel: Channel = "log"
    target: str | None = None
    """Topic of ntfy, address of a webhook or of a mail; None for the channel's own."""
    title: str = ""
    body: str = ""
    priority: Priority = "normal"
    tags: tuple[str, ...] = ()
    click: str | None = None
    thumbnail_key: str | None = None
    """Of a stored picture that goes with it, where the channel can carry one."""
    not_before: datetime | None = None
    """Quiet hours: not to be told earlier."""

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_defaults=True)


@dataclass(frozen=True, slots=True)
class NewMessage:
    message_id: str
    message_type: str
    stage: Stage
    source: Source
    created_by: str
    correlation_id: str
    payload: Mapping[str, Any]
    created_date: datetime
    notification: NotificationRequest = field(default_factory=NotificationRequest)
    owner_id: UUID | None = None
    """Who may see it, besides operators."""

    @property
    def ttl(self) -> int:
        return int((self.created_date + RETENTION).timestamp())


class MessageHistoryEntry(BaseModel):
    """One move of a message, as its history tells it."""

    model_config = ConfigDict(frozen=True)

    status: Status
    at: str
    by: str | None = Field(None)
    note: str | None = Field(None)

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is kept."""

    message_id: str
    message_type: str
    stage: Stage
    source: Source
    created_by: str
    owner_id: UUID | None
    correlation_id: str
    payload: Mapping[str, Any]
    notification: NotificationRequest
    status: Status
    created_date: datetime
    updated_date: datetime
    processing_started_at: datetime | None
    processing_completed_at: datetime | None
    error_message: str | None
    retry_count: int
    attempts: int
    notification_id: str | None
    lease_until: datetime | None
    history: tuple[MessageHistoryEntry, ...]
    ttl: int

    @property
    def is_repetition(self) -> bool:
        """Whether somebody had it in hand before and vanished: it may have been sent."""
        return self.attempts > 1 and any(step.note == LEASE_ENDED for step in self.history[-2:])


LEASE_ENDED = "taken over: the lease of the one before had ended"
