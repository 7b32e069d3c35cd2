"""Makes the topology in AWS, and mends what differs from it.

Safe to repeat and from many processes at once: each step looks first, and one that another process was quicker with
counts as done. What the topology does not name is left alone, statements of others in policies included.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from sightline.aws import translate_errors
from sightline.bus.aws.clients import AwsClients
from sightline.bus.aws.errors import EVENT_BRIDGE, SNS, SQS
from sightline.bus.aws.policies import same_json, same_policy, statement_for, with_statements
from sightline.bus.limits import BusRefusal
from sightline.bus.names import Names
from sightline.bus.topology import EventRule, Queue, Subscription, Topology
from sightline.errors import ConfigurationError, NotFound, PermanentFailure

MAXIMUM_MESSAGE_SIZE = 1024 * 1024
"""What SQS takes at most: an envelope around 256 KB is larger than that."""

_TARGET = "sightline"
_OURS = "Sightline"
# Made by another process between our looking and our making; with other attributes perhaps, which are mended next.
_ALREADY_EXISTS = frozenset({"QueueAlreadyExists", "QueueNameExists", "ResourceAlreadyExistsException"})


class AwsCreator:
    def __init__(self, clients: AwsClients, topology: Topology, names: Names, *, event_bus: str = "default") -> None:
        self._clients = clients
        self._topology = topology
        self._names = names
        self._event_bus = event_bus

    async def create(self) -> None:
        # Dead-letter queues first, because a queue can only point to one that exists.
        for wanted in (True, False):
            queues = [queue for queue in self._topology.all_queues if queue.is_dead_letter is wanted]
            await asyncio.gather(*(self._make_queue(queue) for queue in queues))
        await asyncio.gather(*(self._make_topic(topic) for topic in self._topology.topics))
        for subscription in self._topology.subscriptions:
            await self._make_subscription(subscription)
        if self._topology.rules:
            await self._make_event_bus()
        for rule in self._topology.rules:
            await self._make_rule(rule)

    async def _make_queue(self, queue: Queue) -> None:
        sqs = self._clients.sqs
        wanted = self._queue_attributes(queue)
        try:
            url = await self._clients.queue_url(queue.name)
        except NotFound:
            try:
                with translate_errors(SQS, queue=queue.name):
                    await sqs.create_queue(QueueName=queue.name, Attributes=wanted)
            except BusRefusal as error:
                if error.code not in _ALREADY_EXISTS:
                    raise
            url = await self._clients.queue_url(queue.name)
        with translate_errors(SQS, queue=queue.name):
            answer = await sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
            present = answer["Attributes"]
            self._check_account(present["QueueArn"], self._names.queue_arn(queue.name))
            if statements := self._queue_statements(queue):
                wanted["Policy"] = with_statements(present.get("Policy"), statements)
            if changed := {name: value for name, value in wanted.items() if not same_policy(value, present.get(name))}:
                await sqs.set_queue_attributes(QueueUrl=url, Attributes=changed)

    def _queue_attributes(self, queue: Queue) -> dict[str, str]:
        attributes = {
            "VisibilityTimeout": str(queue.visibility_s),
            "MessageRetentionPeriod": str(queue.retention_s),
            "DelaySeconds": str(queue.delay_s),
            "ReceiveMessageWaitTimeSeconds": str(queue.wait_s),
            "MaximumMessageSize": str(MAXIMUM_MESSAGE_SIZE),
        }
        if queue.dead_letter_queue is not None:
            target = self._names.queue_arn(queue.dead_letter_queue)
            redrive = {"deadLetterTargetArn": target, "maxReceiveCount": queue.max_receives}
            attributes["RedrivePolicy"] = json.dumps(redrive)
        return attributes

    def _queue_statements(self, queue: Queue) -> list[dict[str, Any]]:
        """Without these, SNS and EventBridge drop what they should deliver, and say nothing."""
        arn, action = self._names.queue_arn(queue.name), "sqs:SendMessage"
        subscriptions = [one for one in self._topology.subscriptions if one.queue == queue.name]
        topics = {self._names.topic_arn(one.topic) for one in subscriptions}
        rules = {self._rule_arn(rule) for rule in self._topology.rules if rule.to_queue == queue.name}
        statements = []
        if topics:
            statements.append(statement_for(f"{_OURS}Topics", "sns.amazonaws.com", action, arn, topics))
        if rules:
            statements.append(statement_for(f"{_OURS}Rules", "events.amazonaws.com", action, arn, rules))
        return statements

    async def _make_topic(self, topic: str) -> None:
        sns, arn = self._clients.sns, self._names.topic_arn(topic)
        with translate_errors(SNS):
            answer = await sns.create_topic(Name=topic)
            self._check_account(answer["TopicArn"], arn)
            rules = {self._rule_arn(rule) for rule in self._topology.rules if rule.to_topic == topic}
            if not rules:
                return
            statement = statement_for(f"{_OURS}Rules", "events.amazonaws.com", "sns:Publish", arn, rules)
            present = (await sns.get_topic_attributes(TopicArn=arn))["Attributes"].get("Policy")
            if not same_policy(wanted := with_statements(present, [statement]), present):
                await sns.set_topic_attributes(TopicArn=arn, AttributeName="Policy", AttributeValue=wanted)

    async def _make_subscription(self, subscription: Subscription) -> None:
        wanted = {
            "RawMessageDelivery": "true" if subscription.is_raw else "false",
            "FilterPolicy": json.dumps(subscription.filter_policy),
            "FilterPolicyScope": subscription.scope,
        }
        if (arn := await self._find_subscription(subscription)) is None:
            initial = wanted if subscription.filter_policy else {"RawMessageDelivery": wanted["RawMessageDelivery"]}
            topic, queue = self._names.topic_arn(subscription.topic), self._names.queue_arn(subscription.queue)
            try:
                with translate_errors(SNS):
                    await self._clients.sns.subscribe(
                        TopicArn=topic, Protocol="sqs", Endpoint=queue, Attributes=initial, ReturnSubscriptionArn=True
                    )
            except BusRefusal as error:
                # Another process may have made it meanwhile, from another version of the topology.
                if (arn := await self._find_subscription(subscription)) is None:
                    raise ConfigurationError(
                        f"SNS refuses the subscription {subscription.topic} → {subscription.queue}: {error}"
                    ) from error
            else:
                return
        await self._update_subscription(arn, subscription, wanted)

    async def _update_subscription(self, arn: str, subscription: Subscription, wanted: Mapping[str, str]) -> None:
        sns = self._clients.sns
        with translate_errors(SNS):
            present = (await sns.get_subscription_attributes(SubscriptionArn=arn))["Attributes"]
            defaults = {"FilterPolicy": "{}", "FilterPolicyScope": "MessageAttributes", "RawMessageDelivery": "false"}
            # A nested policy is valid only while the scope is the body, so the scope is widened before it and narrowed after.
            order = ["RawMessageDelivery", "FilterPolicy", "FilterPolicyScope"]
            if subscription.scope == "MessageBody":
                order.reverse()
            for name in order:
                if not same_json(wanted[name], present.get(name) or defaults[name]):
                    await sns.set_subscription_attributes(
                        SubscriptionArn=arn, AttributeName=name, AttributeValue=wanted[name]
                    )

    async def _find_subscription(self, subscription: Subscription) -> str | None:
        endpoint = self._names.queue_arn(subscription.queue)
        pages = self._clients.sns.get_paginator("list_subscriptions_by_topic")
        with translate_errors(SNS):
            async for page in pages.paginate(TopicArn=self._names.topic_arn(subscription.topic)):
                for one in page["Subscriptions"]:
                    if one["Protocol"] == "sqs" and one["Endpoint"] == endpoint:
                        return str(one["SubscriptionArn"])
        return None

    async def _make_event_bus(self) -> None:
        if self._event_bus == "default":
            return
        try:
            with translate_errors(EVENT_BRIDGE):
                await self._clients.events.create_event_bus(Name=self._event_bus)
        except BusRefusal as error:
            if error.code not in _ALREADY_EXISTS:
                raise

    async def _make_rule(self, rule: EventRule) -> None:
        events = self._clients.events
        if rule.to_queue is not None:
            target = self._names.queue_arn(rule.to_queue)
        else:
            target = self._names.topic_arn(rule.to_topic or "")
        where = {"EventBusName": self._event_bus}
        with translate_errors(EVENT_BRIDGE):
            await events.put_rule(Name=rule.name, EventPattern=json.dumps(rule.pattern), State="ENABLED", **where)
            answer = await events.put_targets(Rule=rule.name, Targets=[{"Id": _TARGET, "Arn": target}], **where)
        if answer.get("FailedEntryCount"):
            raise PermanentFailure(f"EventBridge refuses the target of rule {rule.name}: {answer['FailedEntries']}")

    def _rule_arn(self, rule: EventRule) -> str:
        path = rule.name if self._event_bus == "default" else f"{self._event_bus}/{rule.name}"
        return f"arn:aws:events:{self._names.region}:{self._names.account_id}:rule/{path}"

    def _check_account(self, found: str, expected: str) -> None:
        if found != expected:
            raise ConfigurationError(
                f"AWS made {found}, but the settings lead to {expected}; "
                "SIGHTLINE_BUS_ACCOUNT_ID and SIGHTLINE_BUS_REGION have to be those of the credentials"
            )
