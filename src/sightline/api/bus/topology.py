"""The topology of the bus as one account sees it; operators see every account's. Pure, but for counting messages."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

from sightline.api.answers.bus import (
    BusQueueAnswer,
    BusRuleAnswer,
    BusSubscriptionAnswer,
    BusTargetAnswer,
    BusTopicAnswer,
    BusTopologyAnswer,
    EventBusAnswer,
)
from sightline.api.answers.queues import QueueAnswer
from sightline.bootstrap import Platform
from sightline.bus import (
    Account,
    Names,
    QueueOverview,
    RegisteredEventBus,
    RegisteredQueue,
    RegisteredRule,
    RegisteredSubscription,
    RegisteredTopic,
    Resource,
    Snapshot,
    declared_snapshot,
    queue_overview,
)
from sightline.contracts import Caller

_Named = TypeVar("_Named", RegisteredTopic, RegisteredEventBus)

_NEVER = datetime.fromtimestamp(0, UTC)


async def read_topology(platform: Platform, caller: Caller, *, address: str) -> BusTopologyAnswer:
    """`address` is where AWS SDKs of the caller reach the platform."""
    settings, registry = platform.settings, platform.open_bus.registry
    names = Names(settings.bus.region, settings.bus.account_id)
    if registry is None:
        account = Account(names.account_id if caller.is_operator else "", caller.user_id, caller.is_operator)
        snapshot, owners = declared_snapshot(platform.bus.topology, names), {}
    else:
        account = await registry.account(caller.user_id, is_operator=caller.is_operator)
        snapshot = registry.snapshot
        # Whose the other accounts are concerns operators only.
        owners = await registry.owners() if caller.is_operator else {account.account_id: caller.user_id}
    view = _View(snapshot, names, owners, account, None if registry is None else address)
    return BusTopologyAnswer(
        backend=settings.bus.backend,
        endpoint_url=view.address,
        region=names.region,
        account_id=account.account_id,
        accepts_test_key=registry is not None and not settings.auth.is_configured,
        queues=view.queues(queue_overview(platform.bus.topology, await platform.bus.counts())),
        topics=view.topics(),
        event_buses=view.event_buses(),
    )


class _View:
    def __init__(
        self, snapshot: Snapshot, names: Names, owners: Mapping[str, UUID], account: Account, address: str | None
    ) -> None:
        self.address = address
        self._snapshot = snapshot
        self._names = names
        self._owners = owners
        self._account = account

    def queues(self, rows: Iterable[QueueOverview]) -> list[BusQueueAnswer]:
        """The platform's own in their order, then those of clients by name."""
        found = ((row, self._snapshot.queues.get(row.counts.queue)) for row in rows)
        return [self._queue(row, queue) for row, queue in found if queue is not None and self._is_visible(queue)]

    def topics(self) -> list[BusTopicAnswer]:
        """An account also sees topics of others that it subscribed to, each with its own subscriptions alone."""
        by_topic: dict[str, list[RegisteredSubscription]] = {}
        for one in self._snapshot.subscriptions.values():
            by_topic.setdefault(one.topic, []).append(one)
        found = []
        for topic in _ordered(self._snapshot.topics.values()):
            own = self._is_visible(topic)
            subscriptions = [one for one in by_topic.get(topic.name, ()) if own or self._is_visible(one)]
            if own or subscriptions:
                found.append(self._topic(topic, subscriptions))
        return found

    def event_buses(self) -> list[EventBusAnswer]:
        by_bus: dict[str, list[RegisteredRule]] = {}
        for one in self._snapshot.rules.values():
            by_bus.setdefault(one.event_bus, []).append(one)
        found = []
        for bus in _ordered(self._snapshot.event_buses.values()):
            own = self._is_visible(bus)
            rules = [one for one in by_bus.get(bus.name, ()) if own or self._is_visible(one)]
            if own or rules:
                found.append(self._event_bus(bus, rules))
        return found

    def _is_visible(self, resource: Resource) -> bool:
        return self._account.is_operator or resource.account_id == self._account.account_id

    def _common(self, resource: Resource) -> dict[str, Any]:
        return {
            "account_id": resource.account_id,
            "owner_id": self._owners.get(resource.account_id),
            "is_declared": resource.is_declared,
            "created_at": resource.created_at if resource.created_at > _NEVER else None,
        }

    def _queue(self, row: QueueOverview, queue: RegisteredQueue) -> BusQueueAnswer:
        settings, name = queue.settings, self._names.split(queue.name)[1]
        dead_letters = row.dead_letter_queue
        return BusQueueAnswer(
            **QueueAnswer.of(row).model_dump(),
            **self._common(queue),
            name=name,
            arn=self._names.queue_arn(queue.name),
            url=None if self.address is None else f"{self.address}/{queue.account_id}/{name}",
            is_fifo=queue.is_fifo,
            visibility_timeout_s=settings.visibility_s,
            retention_s=settings.retention_s,
            delay_s=settings.delay_s,
            wait_s=settings.wait_s,
            max_receives=settings.max_receives,
            dead_letter_arn=None if dead_letters is None else self._names.queue_arn(dead_letters),
            tags=dict(queue.tags),
        )

    def _topic(self, topic: RegisteredTopic, subscriptions: Iterable[RegisteredSubscription]) -> BusTopicAnswer:
        return BusTopicAnswer(
            **self._common(topic),
            name=self._names.split(topic.name)[1],
            arn=self._names.topic_arn(topic.name),
            is_fifo=topic.is_fifo,
            tags=dict(topic.tags),
            subscriptions=[self._subscription(one) for one in sorted(subscriptions, key=lambda one: one.endpoint)],
        )

    def _subscription(self, subscription: RegisteredSubscription) -> BusSubscriptionAnswer:
        return BusSubscriptionAnswer(
            **self._common(subscription),
            arn=self._names.subscription_arn(subscription.topic, subscription.id),
            protocol=subscription.protocol,
            endpoint=subscription.endpoint,
            is_pending=not subscription.is_confirmed,
            filter_policy=subscription.filter_policy,
            filter_scope=subscription.filter_scope,
            is_raw=subscription.is_raw,
            dead_letter_arn=subscription.dead_letter_arn,
        )

    def _event_bus(self, bus: RegisteredEventBus, rules: Iterable[RegisteredRule]) -> EventBusAnswer:
        return EventBusAnswer(
            **self._common(bus),
            name=self._names.split(bus.name)[1],
            arn=self._names.event_bus_arn(bus.name),
            rules=[self._rule(one) for one in sorted(rules, key=lambda one: (not one.is_declared, one.name))],
        )

    def _rule(self, rule: RegisteredRule) -> BusRuleAnswer:
        return BusRuleAnswer(
            **self._common(rule),
            name=rule.name,
            arn=self._names.rule_arn(rule.event_bus, rule.name),
            pattern=rule.pattern,
            schedule=rule.schedule,
            is_enabled=rule.is_enabled,
            targets=[BusTargetAnswer.of(target) for target in rule.targets],
        )


def _ordered(resources: Iterable[_Named]) -> list[_Named]:
    return sorted(resources, key=lambda one: (not one.is_declared, one.name))
