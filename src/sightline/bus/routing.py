"""Routing of topic messages through filter policies and of events through rules. Pure; the declared part is compiled once."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sightline.bus.client_routing import ClientRouter
from sightline.bus.events.event_routing import Archived, EventRouter, RoutableEvent
from sightline.bus.events.target_call import TargetCall
from sightline.bus.limits import (
    MAX_MESSAGE_BYTES,
    BusRefusal,
    MessageTooLarge,
    check_message,
    check_subject,
    check_text,
    size_of,
)
from sightline.bus.message import Attributes, BusEvent, TopicMessage
from sightline.bus.names import DEFAULT_EVENT_BUS, Names, TopicRefused, new_id, unknown_topic
from sightline.bus.policy import FilterPolicy, PatternIndex, PolicyIndex, compile_event_pattern, compile_filter_policy
from sightline.bus.registry.resources import RegisteredRule
from sightline.bus.registry.snapshot import Snapshot
from sightline.bus.routed import Routed
from sightline.bus.topology import Topology
from sightline.errors import NotFound
from sightline.timing import iso_utc

MAX_EVENT_BYTES = 512 * 1024
"""EventBridge takes entries of 256 KB; an event is longer by its envelope and by what JSON escapes."""


class Router:
    """Routes by the declared topology, and to what clients created according to `snapshot`."""

    def __init__(self, topology: Topology, names: Names, snapshot: Callable[[], Snapshot] = Snapshot) -> None:
        self._names = names
        self._clients = ClientRouter(snapshot, names)
        self.events = EventRouter(snapshot, names)
        self._caches: dict[str, _RoutingCache | None] = {}
        self._topics: dict[str, PolicyIndex[_SubscriptionKey]] = {topic: PolicyIndex() for topic in topology.topics}
        self._subscribed = {subscription.topic for subscription in topology.subscriptions}
        policies: dict[str, list[FilterPolicy]] = {}
        for subscription in topology.subscriptions:
            policy = compile_filter_policy(subscription.filter_policy, scope=subscription.scope)
            self._topics[subscription.topic].add(_SubscriptionKey(subscription.queue, subscription.is_raw), policy)
            policies.setdefault(subscription.topic, []).append(policy)
        self._caches = {topic: _RoutingCache.of(policies.get(topic, [])) for topic in topology.topics}
        self._rules: PatternIndex[str] = PatternIndex()
        self._targets = {rule.name: rule for rule in topology.rules}
        for rule in topology.rules:
            self._rules.add(rule.name, compile_event_pattern(rule.pattern))

    def check_topic(self, topic: str) -> None:
        """Raises `TopicRefused` unless the topic exists and something is subscribed to it."""
        name = self._names.local_name_of(topic)
        if topic not in (name, self._names.topic_arn(name)) or not (
            name in self._topics or self._clients.is_created_by_client(name)
        ):
            raise unknown_topic(topic)
        if name not in self._subscribed and not self._clients.has_subscription(name):
            raise TopicRefused(
                f"Topic has no subscription: {topic}. Its messages would reach no queue", code="NotFound"
            )

    def route(self, message: TopicMessage, *, message_id: str) -> list[Routed]:
        """A copy for every subscription whose policy matches."""
        topic, body, attributes, subject = message.topic, message.body, message.attributes, message.subject
        check_message(body, attributes)
        if subject is not None:
            check_subject(subject)
        name = self._names.local_name_of(topic)
        copies = [
            Routed(
                key.queue,
                message_id,
                body,
                attributes,
                None if key.is_raw else topic,
                subject,
                message.lane,
                message.is_urgent,
            )
            for key in self._matching(name, message)
        ]
        copies += self._clients.route(name, message, message_id=message_id)
        return copies

    def _matching(self, name: str, message: TopicMessage) -> "frozenset[_SubscriptionKey]":
        index = self._topics.get(name)
        if index is None:
            if self._clients.has_topic(name):
                return _NONE
            raise unknown_topic(message.topic)
        cache = self._caches[name]
        if cache is None:
            return frozenset(index.matching(message.attributes, message.body))
        key = cache.key(message.attributes)
        found = cache.entries.get(key)
        if found is None:
            found = frozenset(index.matching(message.attributes, message.body))
            cache.store(key, found)
        return found

    def route_event(self, event: BusEvent, *, event_id: str, at: datetime) -> Iterator[Routed | Archived]:
        """A copy for every target of every rule that the event matches, through a topic if the target is one, and for archives."""
        content = event_json(event, event_id=event_id, at=at, names=self._names)
        body = event_text(content)
        if event.event_bus == DEFAULT_EVENT_BUS and event.replay is None:
            yield from self._follow_declared_rules(event, content, body)
        elif not self.events.has_event_bus(event.event_bus):
            raise NotFound(f"Event bus {event.event_bus} does not exist.", code="ResourceNotFoundException")
        only_rules = None if event.replay is None or not event.replay.rules else event.replay.rules
        routable = RoutableEvent(
            content, body, at, event.at or at, event.trace_header, only_rules, is_replay=event.replay is not None
        )
        for copy in self.events.route(routable, event.event_bus):
            if isinstance(copy, TopicMessage):
                yield from self.route(copy, message_id=new_id())
            else:
                yield copy

    def route_calls(self, calls: Sequence[TargetCall]) -> Iterator[Routed]:
        for call in calls:
            if call.kind == "event-bus" and (refusal := self.events.refusal(call)) is not None:
                yield refusal
                continue
            for copy in self.events.targets.route(call):
                if isinstance(copy, TopicMessage):
                    yield from self.route(copy, message_id=new_id())
                else:
                    yield copy

    def scheduled_calls(self, rule: RegisteredRule, at: datetime) -> tuple[list[TargetCall], list[Routed]]:
        """The calls of a rule's targets when its schedule is due, and what goes to the dead letters instead."""
        arn = self._names.rule_arn(rule.event_bus, rule.name)
        event = BusEvent("aws.events", "Scheduled Event", {}, (arn,), event_bus=rule.event_bus, at=at)
        content = event_json(event, event_id=new_id(), at=at, names=self._names)
        made = self.events.scheduled(rule, content, event_text(content), at)
        return [one for one in made if isinstance(one, TargetCall)], [one for one in made if isinstance(one, Routed)]

    def _follow_declared_rules(self, event: BusEvent, content: dict[str, Any], body: str) -> Iterator[Routed]:
        for name in sorted(self._rules.matching(content)):
            rule = self._targets[name]
            if rule.to_queue is not None:
                yield Routed(rule.to_queue, new_id(), body, {}, lane=event.lane, is_urgent=event.is_urgent)
            elif rule.to_topic is not None:
                message = TopicMessage(rule.to_topic, body, lane=event.lane, is_urgent=event.is_urgent)
                yield from self.route(message, message_id=new_id())


def event_text(content: dict[str, Any]) -> str:
    """The event as compact JSON. Characters that no message may have are escaped."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    try:
        check_text(body)
    except BusRefusal:
        body = json.dumps(content, separators=(",", ":"))
    if size_of(body) > MAX_MESSAGE_BYTES:  # nearly none, so nearly none is measured
        _check_entry(content, body)
    return body


def _check_entry(content: dict[str, Any], body: str) -> None:
    parts = (content["source"], content["detail-type"], *content["resources"])
    detail = json.dumps(content["detail"], ensure_ascii=False, separators=(",", ":"))
    size = size_of(detail) + sum(map(size_of, parts))
    if size > MAX_MESSAGE_BYTES or size_of(body) > MAX_EVENT_BYTES:
        raise MessageTooLarge(
            "Total size of the entries in the request is over the limit.",
            details={"bytes": size, "most": MAX_MESSAGE_BYTES},
        )


def event_json(event: BusEvent, *, event_id: str, at: datetime, names: Names) -> dict[str, Any]:
    """The form in which EventBridge delivers an event."""
    replay = {} if event.replay is None else {"replay-name": event.replay.name}
    return {
        "version": "0",
        "id": event.event_id or event_id,
        "detail-type": event.detail_type,
        "source": event.source,
        "account": event.account_id or names.split(event.event_bus)[0],
        "time": iso_utc(event.at or at)[:19] + "Z",  # EventBridge shows whole seconds
        "region": names.region,
        **replay,
        "resources": list(event.resources),
        "detail": dict(event.detail),
    }


class _RoutingCache:
    """Matching subscriptions by the attributes that the policies of a topic use; most messages differ only in others."""

    MAX_ENTRIES = 4096

    def __init__(self, keys: tuple[str, ...]) -> None:
        self._keys = keys
        self.entries: dict[tuple[object, ...], frozenset[_SubscriptionKey]] = {}

    @classmethod
    def of(cls, policies: list[FilterPolicy]) -> "_RoutingCache | None":
        """None where a policy uses the body, which differs in every message."""
        if any(policy.scope == "MessageBody" for policy in policies):
            return None
        clauses = (clause for policy in policies for branch in policy.branches or () for clause in branch)
        return cls(tuple(sorted({clause.key for clause in clauses})))

    def key(self, attributes: Attributes) -> tuple[object, ...]:
        # A message without any attribute does not even match exists:false.
        return (bool(attributes), *map(attributes.get, self._keys))

    def store(self, key: tuple[object, ...], subscriptions: "frozenset[_SubscriptionKey]") -> None:
        if len(self.entries) >= self.MAX_ENTRIES:
            self.entries.clear()
        self.entries[key] = subscriptions


@dataclass(frozen=True, slots=True, eq=False)
class _SubscriptionKey:
    """A subscription as a key: by identity, since its policy is a dictionary and cannot be hashed."""

    queue: str
    is_raw: bool


_NONE: frozenset[_SubscriptionKey] = frozenset()
