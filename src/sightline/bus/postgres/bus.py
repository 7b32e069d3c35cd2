"""The PostgreSQL backend: topics, rules and queues in the database of the platform.

`publish` writes one row per matching queue in the caller's transaction, and `acknowledge` deletes it in the transaction of the
work: a message exists if and only if its cause was committed, and disappears if and only if its work was committed.
"""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from sightline.bus.context import current_context
from sightline.bus.envelope import attributes_to_json
from sightline.bus.limits import check_delay, check_message
from sightline.bus.message import BusEvent, QueueMessage, Received, TopicMessage
from sightline.bus.metrics import CLIENT_LABEL, BusMetrics
from sightline.bus.names import Names, new_id
from sightline.bus.postgres.dead_letters import PostgresDeadLetters
from sightline.bus.registry import Registry, declared_resources
from sightline.bus.routed import Routed
from sightline.bus.routing import Router
from sightline.bus.topology import Topology
from sightline.db import Database, Grouped, Listener, Transaction, load_queries
from sightline.errors import BackendUnavailable
from sightline.timing import Clock, utc_now

COPY_MIN_ROWS = 20  # below this, one INSERT with its notifications saves a round trip

_COLUMNS = (
    "queue_id",
    "message_id",
    "topic",
    "subject",
    "body",
    "attributes",
    "context",
    "parked_until",
    "lane",
    "is_urgent",
)

_sql = load_queries(Path(__file__).with_name("queries.sql"))


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
        self._acknowledgements = Grouped(self._acknowledge_group)

    async def create(self) -> None:
        async with self.registry.changing() as change:
            for resource in declared_resources(self.topology, self._arns):
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
        ids: list[str] = []
        routed: list[Routed] = []
        contexts: list[str | None] = []
        present = _text(current_context())
        for message in messages:
            ids.append(new_id())
            copies = self._router.route(message, message_id=ids[-1])
            routed += copies
            contexts += [present if message.context is None else _text(message.context)] * len(copies)
        await self._add(tx, routed, contexts=contexts)
        for topic, count in Counter(message.topic for message in messages).items():
            self._metrics.published.labels(self._topic_label(topic)).inc(count)
        return ids

    async def put_events(self, tx: Transaction, *events: BusEvent) -> list[str]:
        at, ids = self._clock(), list[str]()
        routed: list[Routed] = []
        for event in events:
            ids.append(new_id())
            routed += self._router.route_event(event, event_id=ids[-1], at=at)
        await self._add(tx, routed)
        return ids

    async def send(self, tx: Transaction, queue: str, *messages: QueueMessage) -> list[str]:
        settings = self._queue(queue)
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
        await self._add(tx, routed, delays)
        return [one.message_id for one in routed]

    async def _add(
        self,
        tx: Transaction,
        routed: Sequence[Routed],
        delays: Iterable[float] | None = None,
        contexts: list[str | None] | None = None,
    ) -> None:
        if not routed:
            return
        if contexts is None:
            contexts = [_text(current_context())] * len(routed)
        parked_s = list(delays) if delays is not None else [self._queue(one.queue).delay_s for one in routed]
        if len(routed) >= COPY_MIN_ROWS:
            await self._copy(tx, routed, parked_s, contexts)
            return
        await _sql["add_messages"].rows(
            tx,
            contexts=contexts,
            queue_ids=[self._id(one.queue) for one in routed],
            message_ids=[one.message_id for one in routed],
            topics=[one.topic for one in routed],
            subjects=[one.subject for one in routed],
            bodies=[one.body for one in routed],
            attributes=_attribute_texts(routed),
            delays=parked_s,
            lanes=[self._lane(one) for one in routed],
            urgent=[one.is_urgent for one in routed],
            queues=list({one.queue for one in routed}),
        )

    async def _copy(
        self, tx: Transaction, routed: Sequence[Routed], delays: Sequence[float], contexts: Sequence[str | None]
    ) -> None:
        """Writes many rows by COPY, at half the cost of an INSERT for client and server."""
        now = self._clock()
        parked = {delay: now + timedelta(seconds=delay) if delay else None for delay in set(delays)}
        await tx.copy_records_to_table(
            "bus_messages",
            schema_name="sightline",
            columns=_COLUMNS,
            records=[
                (
                    self._id(one.queue),
                    one.message_id,
                    one.topic,
                    one.subject,
                    one.body,
                    text,
                    context,
                    parked[delay],
                    self._lane(one),
                    one.is_urgent,
                )
                for one, text, delay, context in zip(routed, _attribute_texts(routed), delays, contexts, strict=True)
            ],
        )
        await _sql["notify_all"].rows(tx, queues=list({one.queue for one in routed}))

    def _lane(self, routed: Routed) -> str | None:
        """Every message of a fair queue has a lane; those of no owner share one."""
        return (routed.lane or "") if self._queue(routed.queue).is_fair else None

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
        async with self._database.transaction() as tx:
            lost = {id(one) for one in await self.acknowledge(tx, received)}
        return [id(one) in lost for one in received]


def _attribute_texts(routed: Sequence[Routed]) -> list[str | None]:
    """Attributes as JSON, encoded once for all copies of a message."""
    texts: list[str | None] = []
    last: object = None
    text: str | None = None
    for one in routed:
        if one.attributes is not last:
            last = one.attributes
            text = json.dumps(attributes_to_json(one.attributes), ensure_ascii=False) if one.attributes else None
        texts.append(text)
    return texts


def _text(context: Mapping[str, str]) -> str | None:
    return json.dumps(dict(context)) if context else None
