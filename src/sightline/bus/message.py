"""Messages on the bus."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from sightline.bus.names import DEFAULT_EVENT_BUS
from sightline.bus.policy import Attribute

Attributes = Mapping[str, Attribute]


@dataclass(frozen=True, slots=True)
class TopicMessage:
    """A message for a topic; every subscription whose filter policy matches gets a copy."""

    topic: str
    body: str
    attributes: Attributes = field(default_factory=dict)
    subject: str | None = None
    context: Mapping[str, str] | None = None
    """Correlation id and trace; None takes those of the current work."""
    lane: str | None = None
    """Whose message it is: in a fair queue, lanes take turns. Not part of what is sent."""
    is_urgent: bool = False
    """An alarm: ahead of all others in a fair queue."""
    group_id: str | None = None
    """Message group, for the FIFO queues of a FIFO topic."""
    deduplication_id: str | None = None
    by_protocol: Mapping[str, str] = field(default_factory=dict)
    """Other bodies for subscriptions of some protocols."""
    publication: str | None = None
    """Which messages were published together, for `Sender.wait_until_accepted`. Not part of what is sent."""
    message_id: str | None = None
    """None: a new one."""
    sequence_number: str | None = None
    """Of a message of a FIFO topic."""
    trace_header: str | None = None
    """Trace of the publisher, in the form of X-Ray, for queues to show."""


@dataclass(frozen=True, slots=True)
class EventReplay:
    """That an event is replayed from an archive, to all rules of clients or to some, given by ARN."""

    name: str
    rules: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BusEvent:
    """An event for the event bus; every rule whose pattern matches sends it to its target."""

    source: str
    detail_type: str
    detail: Mapping[str, Any]
    resources: tuple[str, ...] = ()
    lane: str | None = None
    is_urgent: bool = False
    event_bus: str = DEFAULT_EVENT_BUS
    """Local name of the event bus."""
    at: datetime | None = None
    """When it happened; None means now."""
    account_id: str | None = None
    """Who put it; None means the account of the event bus."""
    event_id: str | None = None
    """None draws one."""
    trace_header: str | None = None
    replay: EventReplay | None = None


@dataclass(frozen=True, slots=True)
class QueueMessage:
    """A message for one queue. `delay_s` None takes the delay of the queue."""

    body: str
    attributes: Attributes = field(default_factory=dict)
    delay_s: int | None = None
    lane: str | None = None
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class SnsNotification:
    """The published message, whether it was delivered wrapped or raw."""

    body: str
    attributes: Attributes
    topic_arn: str | None = None
    message_id: str | None = None
    is_wrapped: bool = False
    subject: str | None = None
    subscription_arn: str | None = None
    """Where the backend stored it: the subscription that the message came by."""
    sequence_number: str | None = None


class Received(Protocol):
    """A received message, held by one consumer until its visibility ends; `receipt` identifies the receive."""

    @property
    def queue(self) -> str: ...
    @property
    def message_id(self) -> str: ...
    @property
    def receipt(self) -> str: ...
    @property
    def receive_count(self) -> int | None:
        """None if the backend does not say, as are the two times. On AWS, looking at a dead letter counts as well."""

    @property
    def sent_at(self) -> datetime | None: ...
    @property
    def first_received_at(self) -> datetime | None: ...
    @property
    def body(self) -> str:
        """The text in the queue; of a wrapped subscription, the envelope."""

    @property
    def attributes(self) -> Attributes:
        """The queue message's own attributes; those of a wrapped message are in its envelope."""

    @property
    def context(self) -> Mapping[str, str]:
        """Correlation id and trace of the sender."""

    @property
    def lane(self) -> str | None:
        """Whose message it is, in a fair queue of a backend that knows."""

    @property
    def source_queue(self) -> str | None:
        """On a dead letter: the queue it came from."""

    @property
    def dead_reason(self) -> str | None: ...
    @property
    def entered_at(self) -> datetime | None:
        """When it entered this queue, if the backend knows."""

    @property
    def redrives(self) -> int:
        """On a dead letter: how often it was redriven, where the backend counts."""

    def stored_notification(self) -> SnsNotification | None:
        """The published message, if the backend stored it without an envelope."""


@dataclass(frozen=True, slots=True)
class PlainReceived:
    """A received message with all fields in memory."""

    queue: str
    message_id: str
    receipt: str
    receive_count: int | None
    sent_at: datetime | None
    first_received_at: datetime | None
    body: str
    attributes: Attributes = field(default_factory=dict)
    context: Mapping[str, str] = field(default_factory=dict)
    source_queue: str | None = None
    dead_reason: str | None = None
    entered_at: datetime | None = None
    redrives: int = 0
    lane: str | None = None

    def stored_notification(self) -> SnsNotification | None:
        return None


@dataclass(frozen=True, slots=True)
class QueueCounts:
    queue: str
    visible: int
    in_flight: int
    delayed: int
    oldest_age_s: float | None
    """Age of the oldest message that waits to be received."""
    is_declared: bool = True
    """False for a queue that a client created."""
    dead_letter_queue: str | None = None
    """Of a queue that a client created; those of declared queues are in the topology."""
