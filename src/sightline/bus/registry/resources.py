"""What the registry holds: queues, topics, subscriptions, event buses, rules and archives, declared or created by clients. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from sightline.bus.policy import Scope
from sightline.bus.topology import Queue

Kind = Literal["queue", "topic", "subscription", "event_bus", "rule", "archive"]
Texts = Mapping[str, str]

_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class RegisteredQueue:
    """A queue. `attributes` are those of SQS as far as they were set; `settings` is what they mean."""

    name: str
    account_id: str
    settings: Queue
    id: int = 0
    """Given by the database; a queue that is deleted and created again has another."""
    is_declared: bool = False
    attributes: Texts = field(default_factory=dict)
    tags: Texts = field(default_factory=dict)
    created_at: datetime = _EPOCH
    changed_at: datetime = _EPOCH
    purged_at: datetime | None = None

    @property
    def key(self) -> str:
        return self.name

    @property
    def is_fifo(self) -> bool:
        return self.settings.is_fifo


@dataclass(frozen=True, slots=True)
class RegisteredTopic:
    name: str
    account_id: str
    is_declared: bool = False
    is_fifo: bool = False
    attributes: Texts = field(default_factory=dict)
    tags: Texts = field(default_factory=dict)
    created_at: datetime = _EPOCH

    @property
    def key(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class RegisteredSubscription:
    """An endpoint that receives from a topic. Nothing is delivered before it is confirmed."""

    id: UUID
    topic: str
    account_id: str
    protocol: str
    endpoint: str
    is_declared: bool = False
    is_confirmed: bool = True
    filter_policy: str | None = None
    filter_scope: Scope = "MessageAttributes"
    is_raw: bool = False
    dead_letter_arn: str | None = None
    attributes: Texts = field(default_factory=dict)
    created_at: datetime = _EPOCH

    @property
    def key(self) -> str:
        return str(self.id)


@dataclass(frozen=True, slots=True)
class RegisteredEventBus:
    name: str
    account_id: str
    is_declared: bool = False
    attributes: Texts = field(default_factory=dict)
    tags: Texts = field(default_factory=dict)
    created_at: datetime = _EPOCH

    @property
    def key(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class RegisteredRule:
    """A rule of an event bus. `targets` have EventBridge's members: Id, Arn, Input, InputPath, DeadLetterConfig and the rest."""

    event_bus: str
    name: str
    account_id: str
    pattern: str | None
    schedule: str | None = None
    is_declared: bool = False
    is_enabled: bool = True
    targets: tuple[Mapping[str, Any], ...] = ()
    attributes: Texts = field(default_factory=dict)
    tags: Texts = field(default_factory=dict)
    created_at: datetime = _EPOCH

    @property
    def key(self) -> str:
        return rule_key(self.event_bus, self.name)


@dataclass(frozen=True, slots=True)
class RegisteredArchive:
    """Keeps the events of an event bus that match a pattern, for as long as its retention says; 0 days is for ever."""

    name: str
    account_id: str
    event_bus: str
    id: UUID
    pattern: str | None = None
    retention_days: int = 0
    is_declared: bool = False
    attributes: Texts = field(default_factory=dict)
    created_at: datetime = _EPOCH

    @property
    def key(self) -> str:
        return self.name


Resource = (
    RegisteredQueue | RegisteredTopic | RegisteredSubscription | RegisteredEventBus | RegisteredRule | RegisteredArchive
)


def rule_key(event_bus: str, name: str) -> str:
    """Rules are named per event bus."""
    return f"{event_bus}|{name}"


def kind_of(resource: Resource) -> Kind:
    match resource:
        case RegisteredQueue():
            return "queue"
        case RegisteredTopic():
            return "topic"
        case RegisteredSubscription():
            return "subscription"
        case RegisteredEventBus():
            return "event_bus"
        case RegisteredRule():
            return "rule"
        case RegisteredArchive():
            return "archive"
