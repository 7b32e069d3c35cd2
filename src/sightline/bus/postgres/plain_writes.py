"""Plain sends and deletes of clients: what makes up most of the traffic of queues, in one statement for both.

Calls of the same moment share it. A statement with its commit costs as much as some forty messages, and a queue that is worked on
has about as many deletes as sends.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple

from sightline.bus.postgres.adding import KnownQueue
from sightline.db import Database, Grouped, Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("client_queries.sql"))

ReceiptKey = tuple[int, int, int]
"""Queue, message and receive count: what a receipt says. Plain, because thousands are made and sorted each second."""


class _PlainSend(NamedTuple):
    queue: str
    message_ids: Sequence[str]
    bodies: Sequence[str]


class _PlainDelete(NamedTuple):
    given: Sequence[ReceiptKey]


class PlainWrites:
    """`find` raises for a queue that does not exist."""

    def __init__(self, database: Database, find: Callable[[str], KnownQueue]) -> None:
        self._database = database
        self._find = find
        self._writes = Grouped[_PlainSend | _PlainDelete, bool](self._write_group)
        self._second_looks = Grouped(self._look_again)

    async def send(self, queue: str, message_ids: Sequence[str], bodies: Sequence[str]) -> None:
        """Adds messages that are nothing but bodies, to be delivered at once and in no order. They have no context."""
        await self._writes.call(_PlainSend(queue, message_ids, bodies))

    async def delete(self, given: Sequence[ReceiptKey]) -> None:
        """Deletes those that are still received as their receipts say. The others are gone, or received again."""
        if not await self._writes.call(_PlainDelete(given)):
            await self._second_looks.call(given)

    async def _write_group(self, writes: Sequence[_PlainSend | _PlainDelete]) -> list[bool]:
        """Whether all that was to be deleted was found."""
        sends = [one for one in writes if isinstance(one, _PlainSend)]
        given = _in_lock_order(one.given for one in writes if isinstance(one, _PlainDelete))
        async with self._database.statement() as tx:
            deleted = await self._write(tx, sends, given)
        return [deleted == len(given)] * len(writes)

    async def _look_again(self, groups: Sequence[Sequence[ReceiptKey]]) -> list[None]:
        """A row that changes while a statement waits for its lock is found by the next one of the same transaction, if the receipt
        still holds. Apart from the sends, which are committed by now: if this fails, they must not be repeated."""
        given = _in_lock_order(groups)
        async with self._database.transaction(by_index=True) as tx:
            for _ in range(2):
                await self._write(tx, [], given)
        return [None] * len(groups)

    async def _write(self, tx: Transaction, sends: Sequence[_PlainSend], given: Sequence[ReceiptKey]) -> int:
        """Returns how many were deleted."""
        ids = {name: self._find(name).id for name in {one.queue for one in sends}}
        queue_ids, seqs, counts = zip(*given, strict=True) if given else ((), (), ())
        deleted: int = await _sql["add_and_delete"].value(
            tx,
            new_queue_ids=[queue_id for one in sends for queue_id in repeat(ids[one.queue], len(one.bodies))],
            message_ids=[message_id for one in sends for message_id in one.message_ids],
            bodies=[body for one in sends for body in one.bodies],
            queue_ids=queue_ids,
            seqs=seqs,
            receive_counts=counts,
            queues=list(ids),
        )
        return deleted


def _in_lock_order(groups: Iterable[Sequence[ReceiptKey]]) -> list[ReceiptKey]:
    return sorted(chain.from_iterable(groups))
