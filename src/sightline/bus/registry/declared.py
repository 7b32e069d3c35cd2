"""The declared topology as resources of the registry, so that lists show it beside what clients created. Pure."""

import json
from collections.abc import Iterator
from uuid import NAMESPACE_URL, uuid5

from sightline.bus.names import DEFAULT_EVENT_BUS, Names, topic_name
from sightline.bus.queue_attributes import attributes_of
from sightline.bus.registry.resources import (
    RegisteredEventBus,
    RegisteredQueue,
    RegisteredRule,
    RegisteredSubscription,
    RegisteredTopic,
    Resource,
)
from sightline.bus.registry.snapshot import Snapshot
from sightline.bus.topology import EventRule, Subscription, Topology


def declared_resources(topology: Topology, names: Names) -> Iterator[Resource]:
    """In an order in which each finds what it refers to."""
    account_id = names.account_id
    for queue in topology.all_queues:
        yield RegisteredQueue(queue.name, account_id, queue, is_declared=True, attributes=attributes_of(queue, names))
    for topic in topology.topics:
        yield RegisteredTopic(topic_name(topic), account_id, is_declared=True)
    for subscription in topology.subscriptions:
        yield _subscription(subscription, names)
    yield RegisteredEventBus(DEFAULT_EVENT_BUS, account_id, is_declared=True)
    for rule in topology.rules:
        yield _rule(rule, names)


def declared_snapshot(topology: Topology, names: Names) -> Snapshot:
    """The declared topology alone, for backends without a registry."""
    return Snapshot().with_changes(0, declared_resources(topology, names))


def _subscription(subscription: Subscription, names: Names) -> RegisteredSubscription:
    endpoint = names.queue_arn(subscription.queue)
    topic_arn = names.topic_arn(topic_name(subscription.topic))
    return RegisteredSubscription(
        id=uuid5(NAMESPACE_URL, f"{topic_arn}->{endpoint}"),
        topic=topic_name(subscription.topic),
        account_id=names.account_id,
        protocol="sqs",
        endpoint=endpoint,
        is_declared=True,
        filter_policy=json.dumps(subscription.filter_policy) if subscription.filter_policy else None,
        filter_scope=subscription.scope,
        is_raw=subscription.is_raw,
    )


def _rule(rule: EventRule, names: Names) -> RegisteredRule:
    arn = names.queue_arn(rule.to_queue) if rule.to_queue is not None else names.topic_arn(rule.to_topic or "")
    return RegisteredRule(
        event_bus=DEFAULT_EVENT_BUS,
        name=rule.name,
        account_id=names.account_id,
        pattern=json.dumps(rule.pattern),
        is_declared=True,
        targets=({"Id": "declared", "Arn": arn},),
    )
