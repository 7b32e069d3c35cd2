"""Routing to what clients created: subscriptions to topics, and targets of rules. Pure; compiled when it is first used."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.message import Attributes, TopicMessage
from sightline.bus.names import Names, new_id
from sightline.bus.policy import PatternIndex, PolicyIndex, compile_event_pattern, compile_filter_policy
from sightline.bus.registry.resources import RegisteredRule, RegisteredSubscription
from sightline.bus.registry.snapshot import Snapshot
from sightline.bus.routed import Routed
from sightline.bus.topology import DELIVERY_QUEUE

Target = Mapping[str, Any]


class ClientRouter:
    """Adds copies for clients to those that the declared topology makes. Where a topic or event bus has no client, asking costs
    one lookup."""

    def __init__(self, snapshot: Callable[[], Snapshot], names: Names) -> None:
        self._snapshot = snapshot
        self._names = names
        # Compiled policies by topic and event bus, each with the subscriptions or rules that they were compiled from.
        self._topics: dict[str, tuple[object, PolicyIndex[_ClientSubscription]]] = {}
        self._rules: dict[str, tuple[object, PatternIndex[str], Mapping[str, RegisteredRule]]] = {}

    def has_topic(self, topic: str) -> bool:
        return topic in self._snapshot().topics

    def is_created_by_client(self, topic: str) -> bool:
        """False for a declared topic, whose row may be older than the topology."""
        found = self._snapshot().topics.get(topic)
        return found is not None and not found.is_declared

    def has_subscription(self, topic: str) -> bool:
        return bool(self._snapshot().client_subscriptions.get(topic))

    def has_event_bus(self, event_bus: str) -> bool:
        return event_bus in self._snapshot().event_buses

    def route(self, topic: str, message: TopicMessage, *, message_id: str) -> Iterator[Routed]:
        """A copy for every matching subscription of a client to the topic, given by its local name."""
        snapshot = self._snapshot()
        subscriptions = snapshot.client_subscriptions.get(topic)
        if subscriptions is None:
            self._topics.pop(topic, None)
            return
        compiled = self._topics.get(topic)
        if compiled is None or compiled[0] is not subscriptions:
            compiled = self._topics[topic] = (subscriptions, _compile_subscriptions(subscriptions))
        for key in compiled[1].matching(message.attributes, message.body):
            yield from self._deliver(snapshot, key.subscription, message, message_id)

    def _deliver(
        self, snapshot: Snapshot, subscription: RegisteredSubscription, message: TopicMessage, message_id: str
    ) -> Iterator[Routed]:
        topic = None if subscription.is_raw else message.topic
        body = message.by_protocol.get(subscription.protocol, message.body)
        if subscription.protocol == "sqs":
            queue = self._queue(snapshot, subscription.endpoint) or self._queue(snapshot, subscription.dead_letter_arn)
            if queue is not None:  # a message for a deleted queue is dropped, as SNS does without a dead-letter queue
                yield Routed(
                    queue,
                    message_id,
                    body,
                    message.attributes,
                    topic,
                    message.subject,
                    group_id=message.group_id,
                    deduplication_id=message.deduplication_id,
                )
            return
        yield self._endpoint_copy(
            EndpointDelivery(
                kind=subscription.protocol,
                endpoint=subscription.endpoint,
                account_id=subscription.account_id,
                source=self._names.subscription_arn(subscription.topic, subscription.id),
                message_id=message_id,
                body=body,
                attributes=message.attributes,
                topic=message.topic,
                subject=message.subject,
                is_raw=subscription.is_raw,
                dead_letter_arn=subscription.dead_letter_arn,
            )
        )

    def rule_matches(self, event_bus: str, content: Mapping[str, Any]) -> Iterator[tuple[RegisteredRule, Target]]:
        """The targets of the clients' rules that the event matches, rule by rule."""
        rules = self._snapshot().client_rules.get(event_bus)
        if rules is None:
            self._rules.pop(event_bus, None)
            return
        compiled = self._rules.get(event_bus)
        if compiled is None or compiled[0] is not rules:
            compiled = self._rules[event_bus] = (rules, _compile_rules(rules), {one.name: one for one in rules})
        for name in sorted(compiled[1].matching(content)):
            rule = compiled[2][name]
            for target in rule.targets:
                yield rule, target

    def route_to_target(
        self, rule: RegisteredRule, target: Target, body: str, *, lane: str | None = None
    ) -> Iterator[Routed | TopicMessage]:
        """A copy for a target that is a queue or any other endpoint, or a message for a topic that is to be routed further."""
        snapshot, arn = self._snapshot(), str(target["Arn"])
        dead_letter_arn = target.get("DeadLetterConfig", {}).get("Arn")
        service = arn.split(":")[2] if arn.startswith("arn:") else ""
        if service == "sqs":
            queue = self._queue(snapshot, arn) or self._queue(snapshot, dead_letter_arn)
            if queue is not None:
                group_id = target.get("SqsParameters", {}).get("MessageGroupId")
                yield Routed(queue, new_id(), body, {}, group_id=group_id)
            return
        if service == "sns":
            if self._names.local_name_of(arn) in snapshot.topics:
                yield TopicMessage(arn, body, lane=lane)
            elif (queue := self._queue(snapshot, dead_letter_arn)) is not None:
                yield Routed(queue, new_id(), body, {})
            return
        retry: Mapping[str, Any] = target.get("RetryPolicy", {})
        yield self._endpoint_copy(
            EndpointDelivery(
                kind=f"events:{service}",
                endpoint=arn,
                account_id=rule.account_id,
                source=self._names.rule_arn(rule.event_bus, rule.name),
                message_id=new_id(),
                body=body,
                dead_letter_arn=dead_letter_arn,
                max_attempts=retry.get("MaximumRetryAttempts"),
                max_age_s=retry.get("MaximumEventAgeInSeconds"),
                parameters={name: value for name, value in target.items() if name.endswith("Parameters")},
            )
        )

    def _endpoint_copy(self, record: EndpointDelivery) -> Routed:
        return Routed(DELIVERY_QUEUE, new_id(), record.to_json(), _NO_ATTRIBUTES, lane=record.account_id)

    def _queue(self, snapshot: Snapshot, arn: str | None) -> str | None:
        """Local name of a queue that exists."""
        if arn is None:
            return None
        name = self._names.local_name_of(arn)
        return name if name in snapshot.queues else None


_NO_ATTRIBUTES: Attributes = {}


class _ClientSubscription:
    """A subscription as a key of an index: by identity, since its mappings cannot be hashed."""

    __slots__ = ("subscription",)

    def __init__(self, subscription: RegisteredSubscription) -> None:
        self.subscription = subscription


def _compile_subscriptions(
    subscriptions: tuple[RegisteredSubscription, ...],
) -> PolicyIndex[_ClientSubscription]:
    index: PolicyIndex[_ClientSubscription] = PolicyIndex()
    for one in subscriptions:
        policy = compile_filter_policy(one.filter_policy or {}, scope=one.filter_scope)
        index.add(_ClientSubscription(one), policy)
    return index


def _compile_rules(rules: tuple[RegisteredRule, ...]) -> PatternIndex[str]:
    index: PatternIndex[str] = PatternIndex()
    for one in rules:
        index.add(one.name, compile_event_pattern(one.pattern or {}))
    return index
