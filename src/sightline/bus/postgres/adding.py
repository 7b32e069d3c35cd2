"""Adding messages to queues: by INSERT or COPY, and to FIFO queues in order and without duplicates."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar

from sightline.bus.context import current_context
from sightline.bus.envelope import attributes_to_json
from sightline.bus.routed import Routed
from sightline.bus.topology import Queue
from sightline.db import Transaction, load_queries
from sightline.timing import Clock, utc_now

COPY_MIN_ROWS = 20  # below this, one INSERT with its notifications saves a round trip
FIFO_LOCKS = 0x51F0  # first half of the advisory locks of FIFO queues; the second is the id of the queue

Item = TypeVar("Item")

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
    "system_attributes",
)

_sql = load_queries(Path(__file__).with_name("queries.sql"))
_client_sql = load_queries(Path(__file__).with_name("client_queries.sql"))


class KnownQueue(NamedTuple):
    id: int
    settings: Queue


class Added(NamedTuple):
    """What became of a message for a FIFO queue; a duplicate has the id and number of the first."""

    message_id: str
    sequence_number: int


class MessageAdder:
    """Writes messages in the caller's transaction. `find` raises for a queue that does not exist."""

    def __init__(self, find: Callable[[str], KnownQueue], clock: Clock = utc_now) -> None:
        self._find = find
        self._clock = clock

    async def add(
        self,
        tx: Transaction,
        routed: Sequence[Routed],
        delays: Sequence[float] | None = None,
        contexts: Sequence[str | None] | None = None,
    ) -> None:
        """`delays` None takes those of the queues; `contexts` None takes that of the current work."""
        if not routed:
            return
        queues = {name: self._find(name) for name in {one.queue for one in routed}}
        if contexts is None:
            contexts = [context_text(current_context())] * len(routed)
        if delays is None:
            delay_of = {name: queue.settings.delay_s for name, queue in queues.items()}
            delays = [delay_of[one.queue] for one in routed] if any(delay_of.values()) else [0] * len(routed)
        if any(queue.settings.is_fifo for queue in queues.values()):
            in_order = [queues[one.queue].settings.is_fifo for one in routed]
            await self.add_to_fifo(
                tx, _chosen(routed, in_order), _chosen(delays, in_order), _chosen(contexts, in_order)
            )
            others = [not one for one in in_order]
            routed, delays, contexts = _chosen(routed, others), _chosen(delays, others), _chosen(contexts, others)
        if len(routed) >= COPY_MIN_ROWS:
            await self._copy(tx, queues, routed, delays, contexts)
        elif routed:
            await self._insert(tx, queues, routed, delays, contexts)

    async def _insert(
        self,
        tx: Transaction,
        queues: Mapping[str, KnownQueue],
        routed: Sequence[Routed],
        delays: Sequence[float],
        contexts: Sequence[str | None],
    ) -> None:
        await _sql["add_messages"].rows(
            tx,
            contexts=contexts,
            queue_ids=[queues[one.queue].id for one in routed],
            message_ids=[one.message_id for one in routed],
            topics=[one.topic for one in routed],
            subjects=[one.subject for one in routed],
            bodies=[one.body for one in routed],
            attributes=_attribute_texts(routed),
            delays=delays,
            lanes=[_lane(queues[one.queue].settings, one) for one in routed],
            urgent=[one.is_urgent for one in routed],
            system_attributes=[one.system_attributes for one in routed],
            queues=list({one.queue for one in routed}),
        )

    async def _copy(
        self,
        tx: Transaction,
        queues: Mapping[str, KnownQueue],
        routed: Sequence[Routed],
        delays: Sequence[float],
        contexts: Sequence[str | None],
    ) -> None:
        """Writes many rows by COPY, at half the cost of an INSERT for client and server."""
        now = self._clock()
        parked = {delay: now + timedelta(seconds=delay) if delay else None for delay in set(delays)}
        ids = {name: queue.id for name, queue in queues.items()}
        fair = {name for name, queue in queues.items() if queue.settings.is_fair}
        await tx.copy_records_to_table(
            "bus_messages",
            schema_name="sightline",
            columns=_COLUMNS,
            records=[
                (
                    ids[queue],
                    message_id,
                    topic,
                    subject,
                    body,
                    text,
                    context,
                    parked[delay],
                    # Every message of a fair queue has a lane; those of no owner share one.
                    (lane or "") if queue in fair else None,
                    is_urgent,
                    system_attributes,
                )
                # Taken apart in one go, which costs half as much as reading the members one by one.
                for (
                    queue,
                    message_id,
                    body,
                    _,
                    topic,
                    subject,
                    lane,
                    is_urgent,
                    _,
                    _,
                    system_attributes,
                ), text, delay, context in zip(routed, _attribute_texts(routed), delays, contexts, strict=True)
            ],
        )
        await _sql["notify_all"].rows(tx, queues=list({one.queue for one in routed}))

    async def add_to_fifo(
        self, tx: Transaction, routed: Sequence[Routed], delays: Sequence[float], contexts: Sequence[str | None]
    ) -> list[Added]:
        """Numbers become visible in their order, because senders to one queue wait for each other."""
        queues = {name: self._find(name) for name in {one.queue for one in routed}}
        await lock_fifo(tx, [queue.id for queue in queues.values()])
        rows = await _client_sql["add_to_fifo"].rows(
            tx,
            queue_ids=[queues[one.queue].id for one in routed],
            message_ids=[one.message_id for one in routed],
            topics=[one.topic for one in routed],
            subjects=[one.subject for one in routed],
            bodies=[one.body for one in routed],
            attributes=_attribute_texts(routed),
            contexts=contexts,
            delays=delays,
            groups=[one.group_id or "" for one in routed],
            system_attributes=[one.system_attributes for one in routed],
            scopes=[one.group_id or "" if queues[one.queue].settings.deduplicates_per_group else "" for one in routed],
            deduplication_ids=[
                hashlib.sha256(one.body.encode()).hexdigest() if one.deduplication_id is None else one.deduplication_id
                for one in routed
            ],
            queues=list(queues),
        )
        return [Added(str(row["message_id"]), row["seq"]) for row in rows]


async def lock_fifo(tx: Transaction, queue_ids: Iterable[int]) -> None:
    await _client_sql["lock_fifo"].rows(tx, namespace=FIFO_LOCKS, queue_ids=sorted(set(queue_ids)))


def context_text(context: Mapping[str, str]) -> str | None:
    return json.dumps(dict(context)) if context else None


def _chosen(items: Sequence[Item], flags: Sequence[bool]) -> list[Item]:
    return [item for item, is_chosen in zip(items, flags, strict=True) if is_chosen]


def _lane(queue: Queue, routed: Routed) -> str | None:
    """Every message of a fair queue has a lane; those of no owner share one."""
    return (routed.lane or "") if queue.is_fair else None


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
