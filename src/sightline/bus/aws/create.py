"""Creation of the topology in AWS, and correction of what differs from it.

Safe to repeat and from many processes at once: each step reads first, and what another process created in between is
accepted. Resources outside the topology are left alone, and so are policy statements of others.
"""

import asyncio
import json
from collections.abc import Mapping

from sightline.aws import translate_errors
from sightline.bus.aws.clients import AwsClients
from sightline.bus.aws.errors import EVENT_BRIDGE, SNS, SQS
from sightline.bus.aws.expected import TARGET_ID, event_buses_of, queue_attributes, queue_statements, topic_statements
from sightline.bus.aws.policies import same_json, same_policy, with_statements
from sightline.bus.limits import BusRefusal
from sightline.bus.names import DEFAULT_EVENT_BUS, Names
from sightline.bus.topology import EventRule, Queue, Subscription, Topology
from sightline.errors import ConfigurationError, NotFound, PermanentFailure

# Another process created it after our check, perhaps with other attributes, which are corrected next.
_ALREADY_EXISTS = frozenset({"QueueAlreadyExists", "QueueNameExists", "ResourceAlreadyExistsException"})


class AwsCreator:
    def __init__(self, clients: AwsClients, topology: Topology, names: Names, *, event_bus: str = "default") -> None:
        self._clients = clients
        self._topology = topology
        self._names = names
        self._event_bus = event_bus

    async def create(self) -> None:
        # Dead-letter queues first, because a queue can only point to one that exists.
        for is_dead_letter in (True, False):
            queues = [queue for queue in self._topology.all_queues if queue.is_dead_letter is is_dead_letter]
            await asyncio.gather(*(self._create_queue(queue) for queue in queues))
        await asyncio.gather(*(self._create_topic(topic) for topic in self._topology.topics))
        for subscription in self._topology.subscriptions:
            await self._create_subscription(subscription)
        if self._topology.rules:
            await self._create_event_bus()
        for rule in self._topology.rules:
            await self._create_rule(rule)

    async def _create_queue(self, queue: Queue) -> None:
        sqs = self._clients.sqs
        expected_attributes = self._queue_attributes(queue)
        try:
            url = await self._clients.queue_url(queue.name)
        except NotFound:
            try:
                with translate_errors(SQS, queue=queue.name):
                    await sqs.create_queue(QueueName=queue.name, Attributes=expected_attributes)
            except BusRefusal as error:
                if error.code not in _ALREADY_EXISTS:
                    raise
            url = await self._clients.queue_url(queue.name)
        with translate_errors(SQS, queue=queue.name):
            response = await sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
            present = response["Attributes"]
            self._check_account(present["QueueArn"], self._names.queue_arn(queue.name))
            if statements := queue_statements(self._topology, self._names, queue.name, self._buses_of):
                expected_attributes["Policy"] = with_statements(present.get("Policy"), statements)
            if changed := {
                name: value for name, value in expected_attributes.items() if not same_policy(value, present.get(name))
            }:
                await sqs.set_queue_attributes(QueueUrl=url, Attributes=changed)

    def _queue_attributes(self, queue: Queue) -> dict[str, str]:
        attributes = queue_attributes(queue)
        if queue.dead_letter_queue is not None:
            target = self._names.queue_arn(queue.dead_letter_queue)
            redrive = {"deadLetterTargetArn": target, "maxReceiveCount": queue.max_receives}
            attributes["RedrivePolicy"] = json.dumps(redrive)
        return attributes

    async def _create_topic(self, topic: str) -> None:
        sns, arn = self._clients.sns, self._names.topic_arn(topic)
        with translate_errors(SNS):
            response = await sns.create_topic(Name=topic)
            self._check_account(response["TopicArn"], arn)
            statements = topic_statements(self._topology, self._names, topic, self._buses_of)
            if not statements:
                return
            present = (await sns.get_topic_attributes(TopicArn=arn))["Attributes"].get("Policy")
            if not same_policy(policy := with_statements(present, statements), present):
                await sns.set_topic_attributes(TopicArn=arn, AttributeName="Policy", AttributeValue=policy)

    async def _create_subscription(self, subscription: Subscription) -> None:
        expected_attributes = {
            "RawMessageDelivery": "true" if subscription.is_raw else "false",
            "FilterPolicy": json.dumps(subscription.filter_policy),
            "FilterPolicyScope": subscription.scope,
        }
        if (arn := await self._find_subscription(subscription)) is None:
            initial = (
                expected_attributes
                if subscription.filter_policy
                else {"RawMessageDelivery": expected_attributes["RawMessageDelivery"]}
            )
            topic, queue = self._names.topic_arn(subscription.topic), self._names.queue_arn(subscription.queue)
            try:
                with translate_errors(SNS):
                    await self._clients.sns.subscribe(
                        TopicArn=topic, Protocol="sqs", Endpoint=queue, Attributes=initial, ReturnSubscriptionArn=True
                    )
            except BusRefusal as error:
                # Another process may have created it in the meantime, from another version of the topology.
                if (arn := await self._find_subscription(subscription)) is None:
                    raise ConfigurationError(
                        f"SNS rejected the subscription {subscription.topic} → {subscription.queue}: {error}"
                    ) from error
            else:
                return
        await self._update_subscription(arn, subscription, expected_attributes)

    async def _update_subscription(
        self, arn: str, subscription: Subscription, expected_attributes: Mapping[str, str]
    ) -> None:
        sns = self._clients.sns
        with translate_errors(SNS):
            present = (await sns.get_subscription_attributes(SubscriptionArn=arn))["Attributes"]
            defaults = {"FilterPolicy": "{}", "FilterPolicyScope": "MessageAttributes", "RawMessageDelivery": "false"}
            # A nested policy is valid only with the body scope, so the scope is widened before it and narrowed after it.
            order = ["RawMessageDelivery", "FilterPolicy", "FilterPolicyScope"]
            if subscription.scope == "MessageBody":
                order.reverse()
            for name in order:
                if not same_json(expected_attributes[name], present.get(name) or defaults[name]):
                    await sns.set_subscription_attributes(
                        SubscriptionArn=arn, AttributeName=name, AttributeValue=expected_attributes[name]
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

    async def _create_event_bus(self) -> None:
        if self._event_bus == DEFAULT_EVENT_BUS:
            return
        try:
            with translate_errors(EVENT_BRIDGE):
                await self._clients.events.create_event_bus(Name=self._event_bus)
        except BusRefusal as error:
            if error.code not in _ALREADY_EXISTS:
                raise

    async def _create_rule(self, rule: EventRule) -> None:
        events = self._clients.events
        if rule.to_queue is not None:
            target = self._names.queue_arn(rule.to_queue)
        else:
            target = self._names.topic_arn(rule.to_topic or "")
        for event_bus in self._buses_of(rule):
            where = {"EventBusName": event_bus}
            with translate_errors(EVENT_BRIDGE):
                await events.put_rule(Name=rule.name, EventPattern=json.dumps(rule.pattern), State="ENABLED", **where)
                response = await events.put_targets(Rule=rule.name, Targets=[{"Id": TARGET_ID, "Arn": target}], **where)
            if response.get("FailedEntryCount"):
                raise PermanentFailure(
                    f"EventBridge rejected the target of rule {rule.name}: {response['FailedEntries']}"
                )

    def _buses_of(self, rule: EventRule) -> tuple[str, ...]:
        return event_buses_of(rule, self._event_bus)

    def _check_account(self, found: str, expected: str) -> None:
        if found != expected:
            raise ConfigurationError(
                f"AWS created {found}, but the settings name {expected}; "
                "set SIGHTLINE_BUS_ACCOUNT_ID and SIGHTLINE_BUS_REGION to those of the credentials"
            )
