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
class Notification:
    """What was said on a topic, whichever way it was delivered."""

    body: str
    attributes: Attributes
    topic_arn: str | None = None
    message_id: str | None = None
    is_wrapped: bool = False


# Not frozen: thousands a second are made, and a frozen dataclass takes four times as long to make.
@dataclass(slots=True, eq=False)
class Received:
    """A message in the hands of one receiver until its visibility ends; `receipt` proves it."""

    queue: str
    message_id: str
    receipt: str
    receive_count: int
    sent_at: datetime
    first_received_at: datetime
    content: "Content"
    source_queue: str | None = None
    """On a dead letter: the queue it died in."""
    dead_reason: str | None = None

    @property
    def body(self) -> str:
        """The text in the queue; of a wrapped subscription, the envelope."""
        return self.content.body()

    @property
    def attributes(self) -> Attributes:
        """The queue message's own attributes; those of a wrapped message are in its envelope."""
        return self.content.attributes()

    @property
    def context(self) -> Mapping[str, str]:
        """Correlation id and trace of whoever sent it."""
        return self.content.context()


class Content:
    """What a received message holds, read only as far as somebody asks. A keeper may know it in a shorter form."""

    __slots__ = ()

    def body(self) -> str:
        raise NotImplementedError

    def attributes(self) -> Attributes:
        raise NotImplementedError

    def context(self) -> Mapping[str, str]:
        raise NotImplementedError

    def notification(self) -> Notification | None:
        """What was said on the topic, if the keeper knows without reading the envelope."""
        return None


@dataclass(frozen=True, slots=True)
class PlainContent(Content):
    """Held whole."""

    text: str
    own_attributes: Attributes = field(default_factory=dict)
    own_context: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> str:
        return self.text

    def attributes(self) -> Attributes:
        return self.own_attributes

    def context(self) -> Mapping[str, str]:
        return self.own_context


@dataclass(frozen=True, slots=True)
class QueueCounts:
    queue: str
    visible: int
    in_flight: int
    delayed: int
    oldest_age_s: float | None
    """Age of the oldest message that waits to be received."""
