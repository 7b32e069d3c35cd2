"""Routing to the subscriptions of clients. Pure; compiled when a topic is first used."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sightline.bus.delivery_policy import effective_subscription_policy
from sightline.bus.endpoints.record import EndpointDelivery
from sightline.bus.message import Attributes, TopicMessage
from sightline.bus.names import Names, new_id
from sightline.bus.policy import PolicyIndex, compile_filter_policy
from sightline.bus.registry.resources import RegisteredSubscription, RegisteredTopic
from sightline.bus.registry.snapshot import Snapshot
from sightline.bus.routed import Routed
from sightline.bus.system_attributes import stored_system_attributes
from sightline.bus.topology import DELIVERY_QUEUE


class ClientRouter:
    """Adds copies for clients to those that the declared topology makes. Where a topic has no client, asking costs one
    lookup."""

    def __init__(self, snapshot: Callable[[], Snapshot], names: Names) -> None:
        self._snapshot = snapshot
        self._names = names
        # Compiled policies by topic, each with the subscriptions that they were compiled from.
        self._topics: dict[str, tuple[object, PolicyIndex[_ClientSubscription]]] = {}

    def has_topic(self, topic: str) -> bool:
        return topic in self._snapshot().topics

    def is_created_by_client(self, topic: str) -> bool:
        """False for a declared topic, whose row may be older than the topology."""
        found = self._snapshot().topics.get(topic)
        return found is not None and not found.is_declared

    def has_subscription(self, topic: str) -> bool:
        return bool(self._snapshot().client_subscriptions.get(topic))

    def route(self, topic: str, message: TopicMessage, *, message_id: str) -> Iterable[Routed]:
        """A copy for every matching subscription of a client to the topic, given by its local name."""
        snapshot = self._snapshot()
        subscriptions = snapshot.client_subscriptions.get(topic)
        if subscriptions is None:
            self._topics.pop(topic, None)
            return ()
        compiled = self._topics.get(topic)
        if compiled is None or compiled[0] is not subscriptions:
            compiled = self._topics[topic] = (subscriptions, _compile_subscriptions(subscriptions))
        return (
            copy
            for key in compiled[1].matching(message.attributes, message.body)
            for copy in self._deliver(snapshot, key.subscription, message, message_id)
        )

    def _deliver(
        self, snapshot: Snapshot, subscription: RegisteredSubscription, message: TopicMessage, message_id: str
    ) -> Iterator[Routed]:
        body = message.by_protocol.get(subscription.protocol, message.body)
        arn = self._names.subscription_arn(subscription.topic, subscription.id)
        if subscription.protocol == "sqs":
            queue = self._queue(snapshot, subscription.endpoint) or self._queue(snapshot, subscription.dead_letter_arn)
            if queue is not None:  # a message for a deleted queue is dropped, as SNS does without a dead-letter queue
                yield _queue_copy(snapshot, queue, subscription, message, body, message_id, arn)
            return
        yield self._endpoint_copy(
            EndpointDelivery(
                kind=subscription.protocol,
                endpoint=subscription.endpoint,
                account_id=subscription.account_id,
                source=arn,
                message_id=message_id,
                body=body,
                attributes=message.attributes,
                topic=message.topic,
                subject=message.subject,
                is_raw=subscription.is_raw,
                dead_letter_arn=subscription.dead_letter_arn,
                parameters=web_parameters(snapshot.topics.get(subscription.topic), subscription),
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


def web_parameters(topic: RegisteredTopic | None, subscription: RegisteredSubscription) -> Mapping[str, Any]:
    """What the delivery policies of a subscription and its topic say of a delivery to a web address."""
    if subscription.protocol not in ("http", "https"):
        return {}
    policy = effective_subscription_policy(
        None if topic is None else topic.attributes.get("DeliveryPolicy"), subscription.attributes.get("DeliveryPolicy")
    )
    return {"RetryPolicy": policy["healthyRetryPolicy"], "ContentType": policy["requestPolicy"]["headerContentType"]}


def _queue_copy(
    snapshot: Snapshot,
    queue: str,
    subscription: RegisteredSubscription,
    message: TopicMessage,
    body: str,
    message_id: str,
    subscription_arn: str,
) -> Routed:
    """Raw, it is a message of its own; wrapped, it is the published one with the envelope around it."""
    envelope = {"SubscriptionArn": subscription_arn, "SequenceNumber": message.sequence_number}
    # A standard queue that a FIFO topic delivers to has neither groups nor duplicates to tell apart.
    has_ids = snapshot.queues[queue].is_fifo or message.sequence_number is None
    return Routed(
        queue,
        new_id() if subscription.is_raw else message_id,
        body,
        message.attributes,
        None if subscription.is_raw else message.topic,
        message.subject,
        group_id=message.group_id,
        deduplication_id=message.deduplication_id,
        system_attributes=stored_system_attributes(
            trace_header=message.trace_header,
            group_id=message.group_id if has_ids else None,
            deduplication_id=message.deduplication_id if has_ids else None,
            envelope=None if subscription.is_raw else {name: one for name, one in envelope.items() if one},
        ),
    )


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
