"""The PostgreSQL backend: topics, rules and queues in the database of the platform.

`publish` writes one row per matching queue in the caller's transaction, and `acknowledge` deletes it in the transaction of the
work: a message exists if and only if its cause was committed, and disappears if and only if its work was committed.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import repeat

from sightline.bus.context import current_context
from sightline.bus.events import archive_store
from sightline.bus.events.event_routing import Archived
from sightline.bus.events.target_call import TargetCall, event_of
from sightline.bus.limits import check_delay, check_message
from sightline.bus.message import BusEvent, QueueMessage, Received, TopicMessage
from sightline.bus.metrics import CLIENT_LABEL, BusMetrics
from sightline.bus.names import Names, TopicRefused, new_id, new_ids
from sightline.bus.postgres.adding import MessageAdder, context_text
from sightline.bus.postgres.dead_letters import PostgresDeadLetters
from sightline.bus.registry import RegisteredEventBus, RegisteredRule, Registry, declared_resources
from sightline.bus.routed import Routed
from sightline.bus.routing import Router
from sightline.bus.topology import Topology
from sightline.db import Database, Grouped, Listener, Transaction
from sightline.errors import BackendUnavailable
from sightline.timing import Clock, utc_now


class PostgresBus(PostgresDeadLetters):
    def __init__(
        self,
        database: Database,
        listener: Listener,
        topology: Topology,
        names: Names,
        *,
        metrics: BusMetrics | None = None,
        registry: Registry | None = None,
        clock: Clock = utc_now,
    ) -> None:
        registry = registry or Registry(database, names)
        super().__init__(database, listener, topology, names, metrics or BusMetrics(None), registry)
        self._router = Router(topology, names, lambda: registry.snapshot)
        self._clock = clock
        self._adder = MessageAdder(self.find_queue, clock)
        self._acknowledgements = Grouped(self._acknowledge_group)

    async def create(self) -> None:
        async with self.registry.changing() as change:
            for resource in declared_resources(self.topology, self._arns):
                # The default event bus belongs to clients too: its tags and its policy stay.
                if not isinstance(resource, RegisteredEventBus) or resource.name not in change.snapshot.event_buses:
                    await change.put(resource)
        queues = self.registry.snapshot.queues
        self._ids = {name: queues[name].id for name in self._declared}
        async with self._database.transaction() as tx:
            await self._adopt(tx)

    async def check(self) -> None:
        missing = [queue.name for queue in self.topology.all_queues if queue.name not in self._ids]
        if missing:
            raise BackendUnavailable("bus", f"these queues do not exist, restart to create them: {', '.join(missing)}")

    async def publish(self, tx: Transaction, *messages: TopicMessage) -> list[str]:
        ids = [message.message_id or fresh for message, fresh in zip(messages, new_ids(len(messages)), strict=True)]
        routed: list[Routed] = []
        contexts: list[str | None] = []
        present = context_text(current_context())
        for message, message_id in zip(messages, ids, strict=True):
            copies = self._router.route(message, message_id=message_id)
            routed += copies
            context = present if message.context is None else context_text(message.context)
            contexts.extend(repeat(context, len(copies)))
        await self._adder.add(tx, routed, contexts=contexts)
        for topic, count in Counter(message.topic for message in messages).items():
            self._metrics.published.labels(self._topic_label(topic)).inc(count)
        return ids

    async def check_topic(self, topic: str) -> None:
        try:
            self._router.check_topic(topic)
        except TopicRefused:
            await self.registry.refresh()  # another process may have created it a moment ago
            self._router.check_topic(topic)

    async def wait_until_accepted(self, publication: str) -> None:
        """A message is in its queues as soon as its transaction commits."""

    async def retry_refused(self, tx: Transaction, publication: str) -> int:
        return 0

    async def put_events(self, tx: Transaction, *events: BusEvent) -> list[str]:
        at, ids = self._clock(), list[str]()
        routed: list[Routed] = []
        archived: list[Archived] = []
        for event in events:
            ids.append(event.event_id or new_id())
            for copy in self._router.route_event(event, event_id=ids[-1], at=at):
                if isinstance(copy, Archived):
                    archived.append(copy)
                else:
                    routed.append(copy)
        await self._adder.add(tx, routed)
        if archived:
            await archive_store.add_events(tx, archived)
            self._metrics.archived.inc(len(archived))
        return ids

    async def call_targets(self, tx: Transaction, calls: Sequence[TargetCall]) -> None:
        """Calls targets of rules and schedules as part of the caller's transaction."""
        forwards = [self._router.events.may_forward(call) for call in calls]
        others = [call for call, is_forward in zip(calls, forwards, strict=True) if not is_forward]
        await self._adder.add(tx, list(self._router.route_calls(others)))
        events = [event_of(call, self._arns) for call, is_forward in zip(calls, forwards, strict=True) if is_forward]
        if events:
            await self.put_events(tx, *events)

    async def fail_call(self, tx: Transaction, call: TargetCall, code: str, message: str) -> None:
        """Sends a call that cannot be made to its dead letters."""
        await self._adder.add(tx, [self._router.events.targets.failed(call, code, message)])

    async def fire_rule(self, tx: Transaction, rule: RegisteredRule, at: datetime) -> None:
        """Calls the targets of a rule whose schedule is due."""
        calls, failed = self._router.scheduled_calls(rule, at)
        await self.call_targets(tx, calls)
        await self._adder.add(tx, failed)

    async def send(self, tx: Transaction, queue: str, *messages: QueueMessage) -> list[str]:
        settings = self.settings_of(queue)
        routed, delays = [], []
        for message in messages:
            check_message(message.body, message.attributes)
            delay_s = settings.delay_s if message.delay_s is None else message.delay_s
            check_delay(delay_s)
            delays.append(delay_s)
            routed.append(
                Routed(
                    queue,
                    new_id(),
                    message.body,
                    message.attributes,
                    lane=message.lane,
                    is_urgent=message.is_urgent,
                )
            )
        await self._adder.add(tx, routed, delays)
        return [one.message_id for one in routed]

    def _topic_label(self, topic: str) -> str:
        name = self._arns.local_name_of(topic)
        return name if name in self.topology.topics else CLIENT_LABEL

    async def acknowledge(self, tx: Transaction | None, received: Sequence[Received]) -> list[Received]:
        if tx is None:
            lost_or_not = await asyncio.gather(*map(self._acknowledgements.call, received))
            return [one for one, is_lost in zip(received, lost_or_not, strict=True) if is_lost]
        by_queue: dict[str, list[Received]] = defaultdict(list)
        for one in received:
            by_queue[one.queue].append(one)
        lost: list[Received] = []
        for queue, group in by_queue.items():
            lost += await self._delete_received(tx, self._id(queue), group)
        return lost

    async def _acknowledge_group(self, received: Sequence[Received]) -> list[bool]:
        """Acknowledges for consumers with nothing else to commit; returns for each whether its claim was lost."""
        is_one_statement = len({(one.queue, one.receive_count) for one in received}) == 1
        async with self._database.statement() if is_one_statement else self._database.transaction() as tx:
            lost = {id(one) for one in await self.acknowledge(tx, received)}
        return [id(one) in lost for one in received]
