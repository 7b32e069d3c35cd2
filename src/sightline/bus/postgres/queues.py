"""Queues of the PostgreSQL backend: claiming, visibility, release and retention."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

from sightline.bus.lanes import LaneShare
from sightline.bus.limits import MAX_VISIBILITY_S, BusRefusal, check_receive, check_visibility
from sightline.bus.message import QueueCounts, Received
from sightline.bus.metrics import BusMetrics, label_of
from sightline.bus.names import Names, unknown_queue
from sightline.bus.postgres.message import StoredMessage
from sightline.bus.postgres.receipts import read_receipt, read_receipts
from sightline.bus.postgres.turns import ClaimParameters, LaneTurns
from sightline.bus.postgres.waiting import Waiters
from sightline.bus.registry import Registry
from sightline.bus.topology import Queue, Topology
from sightline.db import Database, Listener, Transaction, load_queries
from sightline.timing import is_set_within, utc_now

MAX_CLAIMED = 1000
UNLIMITED_RECEIVES = 2**31 - 1  # stands for "no dead-letter queue" in the claim query
# A waiting receive checks again after POLL_S even without a notification, and sooner while the listener is disconnected.
POLL_S, POLL_WITHOUT_LISTENER_S = 10.0, 0.5
UNPARK_EVERY_S = 0.2

_sql = load_queries(Path(__file__).with_name("queries.sql"))


class PostgresQueues:
    acknowledges_in_transaction = True

    def __init__(
        self,
        database: Database,
        listener: Listener,
        topology: Topology,
        names: Names,
        metrics: BusMetrics,
        registry: Registry,
    ) -> None:
        self.topology = topology
        self.registry = registry
        self._database = database
        self._metrics = metrics
        self._arns = names
        self._waiters = Waiters(listener)
        self._declared = {queue.name: queue for queue in topology.all_queues}
        self._ids: dict[str, int] = {}
        self._unpark_at: dict[str, float] = {}
        self._floors: dict[str, _Floor] = {}
        self._turns: dict[str, LaneTurns] = defaultdict(LaneTurns)

    async def receive(
        self, queue: str, *, limit: int = 1, wait_s: float | None = None, visibility_s: float | None = None
    ) -> list[Received]:
        settings = self._queue(queue)
        wait_s = settings.wait_s if wait_s is None else wait_s
        check_receive(limit, wait_s, settings.visibility_s if visibility_s is None else visibility_s)
        return await self.claim(queue, limit=limit, wait_s=wait_s, visibility_s=visibility_s)

    async def claim(
        self,
        queue: str,
        *,
        limit: int,
        wait_s: float,
        visibility_s: float | None = None,
        share: LaneShare | None = None,
    ) -> list[Received]:
        settings = self._queue(queue)
        visibility_s = settings.visibility_s if visibility_s is None else visibility_s
        limit = min(limit, MAX_CLAIMED)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        with self._waiters.waiting_for(queue) as woken, nullcontext() if share is None else share.waking(woken):
            while True:
                woken.clear()
                if found := await self._claim_now(settings, limit, visibility_s, share):
                    return found
                if (left := deadline - loop.time()) <= 0:
                    return []
                poll_s = POLL_S if self._waiters.is_listening else POLL_WITHOUT_LISTENER_S
                due_s = await self._next_due_s(queue, share)
                if not await is_set_within(woken, max(0.0, min(left, due_s, poll_s))):
                    self._unpark_at.pop(queue, None)  # a parked message may be due now

    async def _claim_now(
        self, queue: Queue, limit: int, visibility_s: float, share: LaneShare | None
    ) -> list[Received]:
        """Claims what is visible now. Messages received too often are moved to the dead letters, and the search continues."""
        queue_id = self._id(queue.name)
        dead_letter_queue = self._dead_letter_queue_of(queue)
        parameters = ClaimParameters(
            queue_id=queue_id,
            visibility_s=visibility_s,
            max_receives=UNLIMITED_RECEIVES
            if queue.max_receives is None or dead_letter_queue is None
            else queue.max_receives,
            dead_letter_queue_id=queue_id if dead_letter_queue is None else self._id(dead_letter_queue),
            keeps_age=queue.keeps_age,
        )
        floor = self._floors.setdefault(queue.name, _Floor())
        while True:
            begin_at = 0 if queue.is_fair else floor.begin_at()
            async with self._database.transaction(by_index=True) as tx:
                await self._unpark(tx, queue.name, queue_id)
                if queue.is_fair:
                    rows = await self._turns[queue.name].claim(tx, parameters, limit=limit, share=share)
                else:
                    rows = await _sql["claim"].rows(tx, floor=begin_at, limit=limit, **asdict(parameters))
                alive = [row for row in rows if row["queue_id"] == queue_id]
                dead = len(rows) - len(alive)
                if dead and dead_letter_queue is not None:
                    await _sql["notify"].rows(tx, queue=dead_letter_queue)
            floor.learn(min((row["seq"] for row in rows), default=0) if len(rows) == limit else 0)
            if not rows and begin_at:
                continue  # there may be messages below the floor: search everywhere before returning nothing
            if dead:
                self._metrics.dead_lettered.labels(label_of(queue)).inc(dead)
            if alive or not dead:
                self._metrics.received.labels(label_of(queue)).inc(len(alive))
                names = self.registry.snapshot.queue_names
                return [StoredMessage(queue.name, row, self._arns, names) for row in alive]

    async def _unpark(self, tx: Transaction, queue: str, queue_id: int) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._unpark_at.get(queue, 0.0):
            self._unpark_at[queue] = now + UNPARK_EVERY_S
            await _sql["unpark_due"].run(tx, queue_id=queue_id)

    async def _next_due_s(self, queue: str, share: LaneShare | None) -> float:
        # Messages of a full lane are visible and must wait all the same; the lane wakes the claim when it has room.
        query = _sql["next_parked" if share is not None and share.has_full_lane else "next_due"]
        async with self._database.transaction(by_index=True) as tx:
            left: timedelta | None = await query.value(tx, queue_id=self._id(queue))
        return POLL_S if left is None else left.total_seconds()

    async def delete(self, queue: str, receipts: Sequence[str]) -> list[str]:
        async with self._database.transaction() as tx:
            stale: list[str] = []
            queue_id = self._id(queue)
            for receive_count, given in (await self._delete(tx, queue_id, receipts)).items():
                rows = await _sql["find_stale"].rows(
                    tx, queue_id=queue_id, seqs=list(given), receive_count=receive_count
                )
                stale += [given[row["seq"]] for row in rows]
            return stale

    async def _delete(self, tx: Transaction, queue_id: int, receipts: Iterable[str]) -> Mapping[int, Mapping[int, str]]:
        """Returns what was not found, as receive count → message → receipt."""
        missing = {}
        for receive_count, given in read_receipts(queue_id, receipts).items():
            rows = await _sql["delete_received"].rows(
                tx, queue_id=queue_id, seqs=list(given), receive_count=receive_count
            )
            if len(rows) < len(given):
                gone = {row["seq"] for row in rows}
                missing[receive_count] = {seq: receipt for seq, receipt in given.items() if seq not in gone}
        return missing

    async def _delete_received(self, tx: Transaction, queue_id: int, received: Sequence[Received]) -> list[Received]:
        """Deletes messages in memory, whose receipts need not be encoded and decoded."""
        by_count: dict[int, dict[int, Received]] = {}
        for one in received:
            seq, receive_count = (
                one.receive_key if isinstance(one, StoredMessage) else read_receipt(queue_id, one.receipt)
            )
            by_count.setdefault(receive_count, {})[seq] = one
        lost: list[Received] = []
        for receive_count, given in by_count.items():
            rows = await _sql["delete_received"].rows(
                tx, queue_id=queue_id, seqs=list(given), receive_count=receive_count
            )
            if len(rows) < len(given):
                gone = {row["seq"] for row in rows}
                lost += [one for seq, one in given.items() if seq not in gone]
        return lost

    async def change_visibility(self, queue: str, receipts: Sequence[str], visibility_s: float) -> list[str]:
        check_visibility(visibility_s)
        queue_id = self._id(queue)
        given = {seq: receipt for group in read_receipts(queue_id, receipts).values() for seq, receipt in group.items()}
        async with self._database.transaction() as tx:
            rows = await _sql["change_visibility"].rows(
                tx, queue_id=queue_id, seqs=list(given), visibility_s=visibility_s
            )
            end = utc_now() + timedelta(seconds=visibility_s)
            for row in rows:
                if row["claimed_at"] and end > row["claimed_at"] + timedelta(seconds=MAX_VISIBILITY_S + 1):
                    raise BusRefusal(
                        f"Value {visibility_s:g} for parameter VisibilityTimeout is invalid. Reason: Total "
                        f"VisibilityTimeout for the message is beyond the limit [{MAX_VISIBILITY_S} seconds]."
                    )
            if visibility_s == 0:
                await _sql["notify"].rows(tx, queue=queue)
        found = {row["seq"] for row in rows}
        return [receipt for seq, receipt in given.items() if seq not in found]

    async def extend(self, received: Sequence[Received], visibility_s: float) -> list[Received]:
        if not received:
            return []
        queue_id = self._id(received[0].queue)
        held: set[str] = set()
        async with self._database.transaction() as tx:
            for receive_count, given in read_receipts(queue_id, [one.receipt for one in received]).items():
                rows = await _sql["extend"].rows(
                    tx, queue_id=queue_id, seqs=list(given), receive_count=receive_count, visibility_s=visibility_s
                )
                held |= {given[row["seq"]] for row in rows}
        return [one for one in received if one.receipt not in held]

    async def release(self, received: Received, *, delay_s: float, reason: str | None = None) -> None:
        queue_id = self._id(received.queue)
        seq, receive_count = read_receipt(queue_id, received.receipt)
        async with self._database.transaction() as tx:
            changed = await _sql["release"].run(
                tx,
                queue_id=queue_id,
                seq=seq,
                receive_count=receive_count,
                delay_s=delay_s,
                reason=None if reason is None else reason.replace("\0", "\ufffd"),
            )
            if changed:
                await _sql["notify"].rows(tx, queue=received.queue)

    async def return_unprocessed(self, received: Sequence[Received]) -> None:
        async with self._database.transaction() as tx:
            for one in received:
                queue_id = self._id(one.queue)
                seq, receive_count = read_receipt(queue_id, one.receipt)
                await _sql["return_unprocessed"].run(tx, queue_id=queue_id, seq=seq, receive_count=receive_count)
            for queue in {one.queue for one in received}:
                await _sql["notify"].rows(tx, queue=queue)

    async def bury(self, received: Received, reason: str) -> None:
        queue = self._queue(received.queue)
        dead_letter_queue = self._dead_letter_queue_of(queue)
        if dead_letter_queue is None:
            await self.release(received, delay_s=0)
            return
        queue_id = self._id(received.queue)
        seq, receive_count = read_receipt(queue_id, received.receipt)
        async with self._database.transaction() as tx:
            changed = await _sql["bury"].run(
                tx,
                queue_id=queue_id,
                seq=seq,
                receive_count=receive_count,
                dead_letter_queue_id=self._id(dead_letter_queue),
                reason=reason.replace("\0", "\ufffd"),
            )
            await _sql["notify"].rows(tx, queue=dead_letter_queue)
        if changed:
            self._metrics.dead_lettered.labels(label_of(queue)).inc()

    async def purge(self, queue: str) -> int:
        async with self._database.transaction() as tx:
            return await _sql["purge"].run(tx, queue_id=self._id(queue))

    async def counts(self) -> list[QueueCounts]:
        async with self._database.transaction() as tx:
            rows = await _sql["counts"].rows(tx)
        queues = self.registry.snapshot.queues
        return [
            QueueCounts(
                row["name"],
                row["visible"],
                row["in_flight"],
                row["delayed"],
                row["oldest_age_s"],
                is_declared=row["is_declared"],
                dead_letter_queue=queues[row["name"]].settings.dead_letter_queue if row["name"] in queues else None,
            )
            for row in rows
            if row["name"] in self._declared or not row["is_declared"]
        ]

    async def sweep(self) -> int:
        """Deletes messages older than the retention of their queue, and those of deleted queues; returns how many."""
        async with self._database.transaction() as tx:
            await self._adopt(tx)
        removed = 0
        for statement in ("sweep", "sweep_removed_queues"):
            while True:
                async with self._database.transaction() as tx:
                    count = await _sql[statement].run(tx)
                removed += count
                if not count:
                    break
        await self.registry.forget_removals()
        self._forget_removed_queues()
        return removed

    def _forget_removed_queues(self) -> None:
        known = self.registry.snapshot.queues
        for remembered in (self._unpark_at, self._floors, self._turns):
            for name in [name for name in remembered if name not in known]:
                del remembered[name]

    async def _adopt(self, tx: Transaction) -> None:
        """Gives a lane to messages that were added before queues were fair, or by a process of an older version."""
        await _sql["adopt"].run(tx, queue_ids=[self._id(one.name) for one in self.topology.queues if one.is_fair])

    def _queue(self, name: str) -> Queue:
        declared = self._declared.get(name)
        if declared is not None:
            return declared
        try:
            return self.registry.snapshot.queues[name].settings
        except KeyError:
            raise unknown_queue(name) from None

    def _id(self, queue: str) -> int:
        declared = self._ids.get(queue)
        if declared is not None:
            return declared
        try:
            return self.registry.snapshot.queues[queue].id
        except KeyError:
            raise unknown_queue(queue) from None

    def _dead_letter_queue_of(self, queue: Queue) -> str | None:
        """None if there is none, or if a client deleted it: then messages stay where they are."""
        name = queue.dead_letter_queue
        return name if name in self._declared or name in self.registry.snapshot.queues else None


class _Floor:
    """The sequence number at which the oldest visible message of a queue was last found: claims of a busy queue start there.

    Messages may still appear below it: committed late, returned, or visible again. So a claim that finds fewer messages than
    requested searches everywhere, and so does one claim per second.
    """

    FULL_SEARCH_EVERY_S = 1.0

    def __init__(self) -> None:
        self._seq = 0
        self._last_full_search = float("-inf")

    def begin_at(self) -> int:
        """The sequence number to start at; 0 searches everywhere."""
        now = time.monotonic()
        if self._seq == 0 or now - self._last_full_search >= self.FULL_SEARCH_EVERY_S:
            self._last_full_search = now
            return 0
        return self._seq

    def learn(self, lowest: int) -> None:
        """Records the lowest sequence number of a full claim; 0 for a claim that found fewer than requested."""
        self._seq = lowest
