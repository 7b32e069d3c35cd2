"""Topics, queues, their policies, subscriptions and event rules, from the topology. Pure."""

from typing import Any

from sightline.bus import DEFAULT_EVENT_BUS, EventRule, Queue, Subscription
from sightline.bus.aws import TARGET_ID, queue_attributes
from sightline.fleet.plan import FleetPlan
from sightline.fleet.template.intrinsics import Resources, attribute, logical_id, policy, ref, resource


def bus_resources(plan: FleetPlan) -> Resources:
    topology = plan.topology
    made: Resources = {}
    if plan.event_bus != DEFAULT_EVENT_BUS:
        made["EventBus"] = resource("AWS::Events::EventBus", {"Name": plan.event_bus})
    for topic in topology.topics:
        made[topic_id(topic)] = resource("AWS::SNS::Topic", {"TopicName": topic})
        if rules := [rule for rule in topology.rules if rule.to_topic == topic]:
            made[logical_id("TopicPolicy", topic)] = _topic_policy(topic, rules)
    for queue in topology.all_queues:
        made[queue_id(queue.name)] = resource("AWS::SQS::Queue", _queue(queue))
        if sources := _sources(plan, queue.name):
            made[logical_id("QueuePolicy", queue.name)] = _queue_policy(queue.name, sources)
    for subscription in topology.subscriptions:
        made[logical_id("Subscription", f"{subscription.topic} {subscription.queue}")] = _subscription(subscription)
    for rule in topology.rules:
        made[rule_id(rule.name)] = _rule(plan, rule)
    return made


def topic_id(topic: str) -> str:
    return logical_id("Topic", topic)


def queue_id(queue: str) -> str:
    return logical_id("Queue", queue)


def rule_id(rule: str) -> str:
    return logical_id("Rule", rule)


def _queue(queue: Queue) -> dict[str, Any]:
    numbers = {name: int(value) for name, value in queue_attributes(queue).items()}
    made: dict[str, Any] = {"QueueName": queue.name, **numbers, "SqsManagedSseEnabled": True}
    if queue.dead_letter_queue is not None:
        target = attribute(queue_id(queue.dead_letter_queue))
        made["RedrivePolicy"] = {"deadLetterTargetArn": target, "maxReceiveCount": queue.max_receives}
    return made


def _sources(plan: FleetPlan, queue: str) -> dict[str, list[Any]]:
    """Which topics and rules send to the queue, by the service that sends."""
    topics = [ref(topic_id(one.topic)) for one in plan.topology.subscriptions if one.queue == queue]
    rules = [attribute(rule_id(rule.name)) for rule in plan.topology.rules if rule.to_queue == queue]
    return {
        service: found for service, found in (("sns.amazonaws.com", topics), ("events.amazonaws.com", rules)) if found
    }


def _queue_policy(queue: str, sources: dict[str, list[Any]]) -> dict[str, Any]:
    """Without it SNS and EventBridge drop messages silently."""
    statements = [
        _allowed(service, "sqs:SendMessage", attribute(queue_id(queue)), arns) for service, arns in sources.items()
    ]
    return resource("AWS::SQS::QueuePolicy", {"Queues": [ref(queue_id(queue))], "PolicyDocument": policy(*statements)})


def _topic_policy(topic: str, rules: list[EventRule]) -> dict[str, Any]:
    arns = [attribute(rule_id(rule.name)) for rule in rules]
    allowed = _allowed("events.amazonaws.com", "sns:Publish", ref(topic_id(topic)), arns)
    return resource("AWS::SNS::TopicPolicy", {"Topics": [ref(topic_id(topic))], "PolicyDocument": policy(allowed)})


def _allowed(service: str, action: str, on: Any, sources: list[Any]) -> dict[str, Any]:
    return {
        "Effect": "Allow",
        "Principal": {"Service": service},
        "Action": action,
        "Resource": on,
        "Condition": {"ArnEquals": {"aws:SourceArn": sources}},
    }


def _subscription(subscription: Subscription) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "TopicArn": ref(topic_id(subscription.topic)),
        "Protocol": "sqs",
        "Endpoint": attribute(queue_id(subscription.queue)),
        "RawMessageDelivery": subscription.is_raw,
    }
    if subscription.filter_policy:
        properties |= {"FilterPolicy": dict(subscription.filter_policy), "FilterPolicyScope": subscription.scope}
    return resource("AWS::SNS::Subscription", properties)


def _rule(plan: FleetPlan, rule: EventRule) -> dict[str, Any]:
    target = attribute(queue_id(rule.to_queue)) if rule.to_queue else ref(topic_id(rule.to_topic or ""))
    on = plan.event_bus_of(rule)
    return resource(
        "AWS::Events::Rule",
        {
            "Name": rule.name,
            "EventBusName": on if on == DEFAULT_EVENT_BUS else ref("EventBus"),
            "EventPattern": dict(rule.pattern),
            "State": "ENABLED",
            "Targets": [{"Id": TARGET_ID, "Arn": target}],
        },
    )
