"""Routing of topic messages through filter policies and of events through rules. Pure, compiled once."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sightline.bus.limits import check_message, check_subject
from sightline.bus.message import Attributes, BusEvent, TopicMessage
from sightline.bus.names import Names, new_id, topic_name, unknown_topic
from sightline.bus.policy import FilterPolicy, PatternIndex, PolicyIndex, compile_event_pattern, compile_filter_policy
from sightline.bus.topology import Topology
from sightline.timing import iso_utc


class Routed(NamedTuple):
    """A copy for one queue. A copy with a topic is wrapped in the envelope when it is received."""

    queue: str
    message_id: str
    body: str
    attributes: Attributes
    topic: str | None = None
    subject: str | None = None
    lane: str | None = None
    is_urgent: bool = False


class Router:
    def __init__(self, topology: Topology, names: Names) -> None:
        self._names = names
        self._caches: dict[str, _RoutingCache | None] = {}
        self._topics: dict[str, PolicyIndex[_SubscriptionKey]] = {topic: PolicyIndex() for topic in topology.topics}
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

    def route(self, message: TopicMessage, *, message_id: str) -> list[Routed]:
        """A copy for every subscription whose policy matches."""
        topic, body, attributes, subject = message.topic, message.body, message.attributes, message.subject
        check_message(body, attributes)
        if subject is not None:
            check_subject(subject)
        return [
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
            for key in self._matching(message)
        ]

    def _matching(self, message: TopicMessage) -> "frozenset[_SubscriptionKey]":
        name = topic_name(message.topic)
        index = self._topics.get(name)
        if index is None:
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

    def route_event(self, event: BusEvent, *, event_id: str, at: datetime) -> Iterator[Routed]:
        """A copy for every rule that the event matches, through a topic if the rule targets one."""
        content = event_json(event, event_id=event_id, at=at, names=self._names)
        body = json.dumps(content, ensure_ascii=False)
        check_message(body, {})
        for name in sorted(self._rules.matching(content)):
            rule = self._targets[name]
            if rule.to_queue is not None:
                yield Routed(rule.to_queue, new_id(), body, {}, lane=event.lane, is_urgent=event.is_urgent)
            elif rule.to_topic is not None:
                message = TopicMessage(rule.to_topic, body, lane=event.lane, is_urgent=event.is_urgent)
                yield from self.route(message, message_id=new_id())


def event_json(event: BusEvent, *, event_id: str, at: datetime, names: Names) -> dict[str, Any]:
    """The form in which EventBridge delivers an event."""
    return {
        "version": "0",
        "id": event_id,
        "detail-type": event.detail_type,
        "source": event.source,
        "account": names.account_id,
        "time": iso_utc(at)[:19] + "Z",  # EventBridge shows whole seconds
        "region": names.region,
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
