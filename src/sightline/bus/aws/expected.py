"""What the topology means on AWS: attributes of queues, and who may send to them. Pure."""

from collections.abc import Callable, Iterable
from typing import Any

from sightline.bus.aws.policies import statement_for
from sightline.bus.names import DEFAULT_EVENT_BUS, Names
from sightline.bus.topology import EventRule, Queue, Topology

MAXIMUM_MESSAGE_SIZE = 1024 * 1024
"""The limit of SQS, because an envelope around 256 KB is larger than 256 KB."""
TARGET_ID = "sightline"
"""Of the one target of each rule."""
_OURS = "Sightline"

RuleBuses = Callable[[EventRule], Iterable[str]]
"""The event buses that a rule is on."""


def event_buses_of(rule: EventRule, event_bus: str) -> tuple[str, ...]:
    """Where a rule has to be: events of AWS services arrive on the default event bus alone, whichever one is ours."""
    is_of_aws = any(str(one).startswith("aws.") for one in rule.pattern.get("source", ()))
    return tuple(dict.fromkeys((event_bus, DEFAULT_EVENT_BUS) if is_of_aws else (event_bus,)))


def queue_attributes(queue: Queue) -> dict[str, str]:
    """The numbers of a queue as SQS names them. Pure."""
    return {
        "VisibilityTimeout": str(queue.visibility_s),
        "MessageRetentionPeriod": str(queue.retention_s),
        "DelaySeconds": str(queue.delay_s),
        "ReceiveMessageWaitTimeSeconds": str(queue.wait_s),
        "MaximumMessageSize": str(MAXIMUM_MESSAGE_SIZE),
    }


def queue_statements(topology: Topology, names: Names, queue: str, buses: RuleBuses) -> list[dict[str, Any]]:
    """Permissions without which SNS and EventBridge drop messages silently."""
    arn, action = names.queue_arn(queue), "sqs:SendMessage"
    topics = {names.topic_arn(one.topic) for one in topology.subscriptions if one.queue == queue}
    rules = _rule_arns(names, [rule for rule in topology.rules if rule.to_queue == queue], buses)
    statements = []
    if topics:
        statements.append(statement_for(f"{_OURS}Topics", "sns.amazonaws.com", action, arn, topics))
    if rules:
        statements.append(statement_for(f"{_OURS}Rules", "events.amazonaws.com", action, arn, rules))
    return statements


def topic_statements(topology: Topology, names: Names, topic: str, buses: RuleBuses) -> list[dict[str, Any]]:
    rules = _rule_arns(names, [rule for rule in topology.rules if rule.to_topic == topic], buses)
    if not rules:
        return []
    return [statement_for(f"{_OURS}Rules", "events.amazonaws.com", "sns:Publish", names.topic_arn(topic), rules)]


def _rule_arns(names: Names, rules: list[EventRule], buses: RuleBuses) -> set[str]:
    return {names.rule_arn(event_bus, rule.name) for rule in rules for event_bus in buses(rule)}
