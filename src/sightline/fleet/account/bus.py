"""Topics, queues, subscriptions and rules of an account, compared with the topology."""

import json
from typing import Any

from sightline.bus import EventRule, Names, Queue, Subscription
from sightline.bus.aws import TARGET_ID, queue_attributes, queue_statements, topic_statements
from sightline.fleet.account.reading import AccountReader
from sightline.fleet.difference import Difference, compare, lacks_permission, missing
from sightline.fleet.plan import FleetPlan


async def bus_differences(plan: FleetPlan, account: AccountReader) -> list[Difference]:
    names = Names(plan.region, plan.account_id)
    found: list[Difference] = []
    for queue in plan.topology.all_queues:
        found += await _queue(plan, names, account, queue)
    for topic in plan.topology.topics:
        found += await _topic(plan, names, account, topic)
    if await account.read("events", "describe_event_bus", Name=plan.event_bus) is None:
        return [*found, missing(f"event bus {plan.event_bus}")]
    for rule in plan.topology.rules:
        found += await _rule(names, account, rule, plan.event_bus_of(rule))
    return found


async def _queue(plan: FleetPlan, names: Names, account: AccountReader, queue: Queue) -> list[Difference]:
    resource = f"queue {queue.name}"
    url = await account.read("sqs", "get_queue_url", QueueName=queue.name)
    if url is None:
        return [missing(resource)]
    response = await account.read("sqs", "get_queue_attributes", QueueUrl=url["QueueUrl"], AttributeNames=["All"])
    present = (response or {}).get("Attributes", {})
    expected: dict[str, Any] = {**queue_attributes(queue)}
    if queue.dead_letter_queue is not None:
        target = names.queue_arn(queue.dead_letter_queue)
        expected["RedrivePolicy"] = {"deadLetterTargetArn": target, "maxReceiveCount": queue.max_receives}
    statements = queue_statements(plan.topology, names, queue.name, lambda rule: [plan.event_bus_of(rule)])
    return [*compare(resource, expected, present), *lacks_permission(resource, statements, present.get("Policy"))]


async def _topic(plan: FleetPlan, names: Names, account: AccountReader, topic: str) -> list[Difference]:
    resource, arn = f"topic {topic}", names.topic_arn(topic)
    response = await account.read("sns", "get_topic_attributes", TopicArn=arn)
    if response is None:
        return [missing(resource)]
    statements = topic_statements(plan.topology, names, topic, lambda rule: [plan.event_bus_of(rule)])
    found = list(lacks_permission(resource, statements, response["Attributes"].get("Policy")))
    present = {
        one["Endpoint"]: one["SubscriptionArn"]
        for one in await account.read_all("sns", "list_subscriptions_by_topic", "Subscriptions", TopicArn=arn)
        if one["Protocol"] == "sqs"
    }
    expected = {names.queue_arn(one.queue): one for one in plan.topology.subscriptions if one.topic == topic}
    for endpoint, subscription in expected.items():
        found += await _subscription(account, subscription, present.get(endpoint))
    ours = {names.queue_arn(queue.name) for queue in plan.topology.all_queues}
    for endpoint in sorted((present.keys() & ours) - expected.keys()):
        name = f"subscription {topic} → {endpoint.rpartition(':')[2]}"
        found.append(Difference(name, "it", "absent: the queue would receive what it does not understand", "present"))
    return found


async def _subscription(account: AccountReader, subscription: Subscription, arn: str | None) -> list[Difference]:
    resource = f"subscription {subscription.topic} → {subscription.queue}"
    response = None if arn is None else await account.read("sns", "get_subscription_attributes", SubscriptionArn=arn)
    if response is None:
        return [missing(resource)]
    defaults = {"FilterPolicy": "{}", "FilterPolicyScope": "MessageAttributes", "RawMessageDelivery": "false"}
    present = defaults | {name: value for name, value in response["Attributes"].items() if value}
    expected: dict[str, Any] = {
        "RawMessageDelivery": subscription.is_raw,
        "FilterPolicy": dict(subscription.filter_policy),
    }
    if subscription.filter_policy:
        expected["FilterPolicyScope"] = subscription.scope
    return list(compare(resource, expected, present))


async def _rule(names: Names, account: AccountReader, rule: EventRule, event_bus: str) -> list[Difference]:
    resource = f"rule {rule.name}"
    response = await account.read("events", "describe_rule", Name=rule.name, EventBusName=event_bus)
    if response is None:
        return [missing(resource)]
    expected = {"EventPattern": dict(rule.pattern), "State": "ENABLED"}
    present = {"EventPattern": json.loads(response.get("EventPattern") or "{}"), "State": response.get("State")}
    target = names.queue_arn(rule.to_queue) if rule.to_queue else names.topic_arn(rule.to_topic or "")
    targets = await account.read_all(
        "events", "list_targets_by_rule", "Targets", Rule=rule.name, EventBusName=event_bus
    )
    return [
        *compare(resource, expected, present),
        *compare(resource, {"targets": {TARGET_ID: target}}, {"targets": {one["Id"]: one["Arn"] for one in targets}}),
    ]
