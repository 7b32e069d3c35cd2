"""What travels on the bus."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sightline.bus.policy import Attribute

Attributes = Mapping[str, Attribute]


@dataclass(frozen=True, slots=True)
class TopicMessage:
    """Said on a topic; every subscription whose filter policy lets it through gets a copy."""

    topic: str
    body: str
    attributes: Attributes = field(default_factory=dict)
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class BusEvent:
    """Put on the event bus; every rule whose pattern it matches passes it to its target."""

    source: str
    detail_type: str
    detail: Mapping[str, Any]
    resources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueueMessage:
    """Sent to one queue. `delay_s` None takes the queue's own delay."""

    body: str
    attributes: Attributes = field(default_factory=dict)
    delay_s: int | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """A message in the hands of one receiver until its visibility ends; `receipt` proves it."""

    queue: str
    message_id: str
    receipt: str
    body: str
    attributes: Attributes
    receive_count: int
    sent_at: datetime
    first_received_at: datetime
    source_queue: str | None = None
    """On a dead letter: the queue it died in."""
    dead_reason: str | None = None
    context: Mapping[str, str] = field(default_factory=dict)
    """Correlation id and trace of whoever sent it."""


@dataclass(frozen=True, slots=True)
class QueueCounts:
    queue: str
    visible: int
    in_flight: int
    delayed: int
    oldest_age_s: float | None
    """Age of the oldest message that waits to be received."""
