"""Snapshot of the registry: immutable, replaced as a whole when something changed, so that readers need no lock."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sightline.bus.registry.resources import (
    RegisteredArchive,
    RegisteredEventBus,
    RegisteredQueue,
    RegisteredRule,
    RegisteredSubscription,
    RegisteredTopic,
    Resource,
)


@dataclass(frozen=True, slots=True)
class Removal:
    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    version: int = 0
    queues: Mapping[str, RegisteredQueue] = field(default_factory=dict)
    queue_names: Mapping[int | None, str] = field(default_factory=dict)
    topics: Mapping[str, RegisteredTopic] = field(default_factory=dict)
    subscriptions: Mapping[str, RegisteredSubscription] = field(default_factory=dict)
    event_buses: Mapping[str, RegisteredEventBus] = field(default_factory=dict)
    rules: Mapping[str, RegisteredRule] = field(default_factory=dict)
    client_subscriptions: Mapping[str, tuple[RegisteredSubscription, ...]] = field(default_factory=dict)
    """By topic, confirmed ones of clients only: what routing adds to the declared topology. The tuple of a topic stays the same
    object until one of its subscriptions changes."""
    client_rules: Mapping[str, tuple[RegisteredRule, ...]] = field(default_factory=dict)
    """By event bus, enabled rules of clients that have a pattern and targets."""
    archives: Mapping[str, RegisteredArchive] = field(default_factory=dict)
    archives_of_bus: Mapping[str, tuple[RegisteredArchive, ...]] = field(default_factory=dict)

    def with_changes(self, version: int, changes: Iterable[Resource | Removal]) -> "Snapshot":
        """The snapshot after changes, given in the order in which they happened."""
        new = _Edit(self)
        for change in changes:
            new.apply(change)
        return new.snapshot(version)


class _Edit:
    """A change of a snapshot under way: copies only the mappings that change."""

    def __init__(self, base: Snapshot) -> None:
        self._base = base
        self._changed: dict[str, dict[Any, Any]] = {}
        self._topics: set[str] = set()
        self._event_buses: set[str] = set()
        self._archived_buses: set[str] = set()

    def apply(self, change: Resource | Removal) -> None:
        match change:
            case RegisteredQueue():
                self._remove_queue(change.name)  # a queue that was deleted and created again has a new id
                self._mapping("queues")[change.name] = change
                self._mapping("queue_names")[change.id] = change.name
            case RegisteredTopic():
                self._mapping("topics")[change.name] = change
            case RegisteredSubscription():
                self._mapping("subscriptions")[change.key] = change
                self._topics.add(change.topic)
            case RegisteredEventBus():
                self._mapping("event_buses")[change.name] = change
            case RegisteredArchive():
                self._mapping("archives")[change.name] = change
                self._archived_buses.add(change.event_bus)
            case RegisteredRule():
                self._mapping("rules")[change.key] = change
                self._event_buses.add(change.event_bus)
            case Removal(kind="queue"):
                self._remove_queue(change.key)
            case Removal(kind="topic"):
                self._mapping("topics").pop(change.key, None)
            case Removal(kind="subscription"):
                if (subscription := self._mapping("subscriptions").pop(change.key, None)) is not None:
                    self._topics.add(subscription.topic)
            case Removal(kind="event_bus"):
                self._mapping("event_buses").pop(change.key, None)
            case Removal(kind="rule"):
                if (rule := self._mapping("rules").pop(change.key, None)) is not None:
                    self._event_buses.add(rule.event_bus)
            case Removal(kind="archive"):
                if (archive := self._mapping("archives").pop(change.key, None)) is not None:
                    self._archived_buses.add(archive.event_bus)

    def snapshot(self, version: int) -> Snapshot:
        self._group_subscriptions()
        self._group_rules()
        self._group_archives()
        return replace(self._base, version=version, **self._changed)

    def _mapping(self, name: str) -> dict[Any, Any]:
        if name not in self._changed:
            self._changed[name] = dict(getattr(self._base, name))
        return self._changed[name]

    def _remove_queue(self, name: str) -> None:
        if (queue := self._mapping("queues").pop(name, None)) is not None:
            self._mapping("queue_names").pop(queue.id, None)

    def _group_subscriptions(self) -> None:
        groups: dict[str, list[RegisteredSubscription]] = {topic: [] for topic in self._topics}
        for one in self._mapping("subscriptions").values() if groups else ():
            if one.topic in groups and one.is_confirmed and not one.is_declared:
                groups[one.topic].append(one)
        _regroup(self._mapping("client_subscriptions") if groups else {}, groups)

    def _group_rules(self) -> None:
        groups: dict[str, list[RegisteredRule]] = {event_bus: [] for event_bus in self._event_buses}
        for one in self._mapping("rules").values() if groups else ():
            if one.event_bus in groups and one.is_enabled and one.pattern and one.targets and not one.is_declared:
                groups[one.event_bus].append(one)
        _regroup(self._mapping("client_rules") if groups else {}, groups)

    def _group_archives(self) -> None:
        groups: dict[str, list[RegisteredArchive]] = {event_bus: [] for event_bus in self._archived_buses}
        for one in self._mapping("archives").values() if groups else ():
            if one.event_bus in groups:
                groups[one.event_bus].append(one)
        _regroup(self._mapping("archives_of_bus") if groups else {}, groups)


def _regroup(grouped: dict[str, tuple[Any, ...]], groups: Mapping[str, list[Any]]) -> None:
    for key, members in groups.items():
        if members:
            grouped[key] = tuple(members)
        else:
            grouped.pop(key, None)
