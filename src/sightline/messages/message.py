"""The message record of document 002, its notification and its statuses. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from sightline.contracts.message_events import Source, Stage
from sightline.notifications import Language, is_kept_id

Status = Literal["created", "queued", "processing", "completed", "failed"]
Priority = Literal["low", "normal", "high", "critical"]
Channel = Literal["log", "ntfy", "webhook", "email"]
EventChannel = Literal["log", "ntfy", "webhook", "email", "web_push"]
"""Events also reach browsers, which no other message can name."""

STATUSES: tuple[Status, ...] = ("created", "queued", "processing", "completed", "failed")
CHANNELS: tuple[Channel, ...] = ("log", "ntfy", "webhook", "email")
EVENT_CHANNELS: tuple[EventChannel, ...] = (*CHANNELS, "web_push")
RETENTION = timedelta(days=90)
MAX_ERROR_LENGTH = 1000

# What a processor may claim; also `processing` once its lease has ended.
CLAIMABLE: tuple[Status, ...] = ("created", "queued", "failed")


class NotificationRequest(BaseModel):
    """The notification that a message asks for: channel, target and text."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    channel: EventChannel = "log"
    target: str | None = None
    """ntfy topic, webhook URL, email address or the id of a browser; None for the channel's default."""
    title: str = ""
    body: str = ""
    priority: Priority = "normal"
    tags: tuple[str, ...] = ()
    click: str | None = None
    language: Language | None = None
    """Language of title and body; None if it is not known."""
    thumbnail_key: str | None = None
    """Object key of a picture to attach, if the channel supports pictures."""
    is_alarm: bool = False
    """A critical security event of the platform itself: sent ahead of all others. No request can ask for it."""
    is_for_operator: bool = False
    """An operator chose the target, so it needs no confirmation."""
    is_challenge: bool = False
    """Asks for the confirmation of its target, so it goes there before that."""
    not_before: datetime | None = None
    """End of the quiet hours; it is not sent earlier."""

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_defaults=True)


def lane_of(owner_id: UUID | None) -> str:
    """Messages of one owner are a lane; lanes take turns. Those of no owner share one."""
    return "" if owner_id is None else str(owner_id)


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
    """The person who may see it, besides operators."""
    retention: timedelta = RETENTION

    @property
    def lane(self) -> str:
        return lane_of(self.owner_id)

    @property
    def ttl(self) -> int:
        return int((self.created_date + self.retention).timestamp())


class MessageHistoryEntry(BaseModel):
    """One status change in the history of a message."""

    model_config = ConfigDict(frozen=True)

    status: Status
    at: str
    by: str | None = Field(None)
    note: str | None = Field(None)

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is stored."""

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
    ttl: int | None
    """When it expires, in seconds since 1970; None for never."""

    @property
    def lane(self) -> str:
        return lane_of(self.owner_id)

    @property
    def is_kept(self) -> bool:
        """Whether it is an email that stays here because no mail server is set; it was not sent."""
        return is_kept_id(self.notification_id)

    @property
    def is_repetition(self) -> bool:
        """Whether another processor claimed it before and died: it may have been sent already."""
        return self.attempts > 1 and any(step.note == LEASE_ENDED for step in self.history[-2:])


LEASE_ENDED = "taken over: the lease of the one before had ended"
