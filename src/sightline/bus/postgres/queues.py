"""Queues of the PostgreSQL backend: claiming, visibility, release and retention."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

from sightline.bus.lanes import LaneShare
from sightline.bus.limits import MAX_VISIBILITY_S, BusRefusal, check_receive, check_visibility
from sightline.bus.message import QueueCounts, Received
from sightline.bus.metrics import BusMetrics, label_of
from sightline.bus.names import Names, unknown_queue
from sightline.bus.postgres.adding import KnownQueue, lock_fifo
from sightline.bus.postgres.claims import Claim, Claims, notify_queues
from sightline.bus.postgres.fifo_topics import forget_topic_deduplications
from sightline.bus.postgres.message import StoredMessage
from sightline.bus.postgres.receipts import read_receipt, read_receipts
from sightline.bus.postgres.receiving import SharedReceives
from sightline.bus.postgres.turns import ClaimParameters
from sightline.bus.postgres.waiting import Waiters
from sightline.bus.registry import Registry
from sightline.bus.topology import Queue, Topology
from sightline.db import Database, Listener, Transaction, load_queries
from sightline.timing import is_set_within, utc_now

MAX_CLAIMED = 1000
UNLIMITED_RECEIVES = 2**31 - 1  # stands for "no dead-letter queue" in the claim query
# A waiting receive checks again after POLL_S even without a notification, and sooner while the listener is disconnected.
POLL_S, POLL_WITHOUT_LISTENER_S = 30.0, 0.5
# A consumer of a fair queue claims again when half of its work is done, at the latest after this time; an idle one does at once.
GATHER_S = 0.01

_sql = load_queries(Path(__file__).with_name("queries.sql"))
_client_sql = load_queries(Path(__file__).with_name("client_queries.sql"))


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
        self._receives = SharedReceives(self, self._waiters, max_claimed=MAX_CLAIMED)
        registry.on_change(self._receives.wake_all)
        self._declared = {queue.name: queue for queue in topology.all_queues}
        self._ids: dict[str, int] = {}
        self._claims = Claims(database)

    async def receive(
        self,
        queue: str,
        *,
        limit: int = 1,
        wait_s: float | None = None,
        visibility_s: float | None = None,
        with_times: bool = True,
    ) -> list[Received]:
        """Without `with_times` the messages do not say when they were sent and first received."""
        settings = self.settings_of(queue)
        wait_s = settings.wait_s if wait_s is None else wait_s
        visibility_s = settings.visibility_s if visibility_s is None else visibility_s
        check_receive(limit, wait_s, visibility_s)
        return await self._receives.receive(
            queue, limit=limit, wait_s=wait_s, visibility_s=visibility_s, with_times=with_times
        )

    async def claim(
        self,
        queue: str,
        *,
        limit: int,
        wait_s: float,
        visibility_s: float | None = None,
        share: LaneShare | None = None,
    ) -> list[Received]:
        settings = self.settings_of(queue)
        visibility_s = settings.visibility_s if visibility_s is None else visibility_s
        limit = min(limit, MAX_CLAIMED)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        with self._waiters.waiting_for(queue) as woken, nullcontext() if share is None else share.waking(woken):
            while True:
                if share is not None:
                    await share.wait_for_half(GATHER_S)
                woken.clear()
                if found := await self._claim_or_return(settings, limit, visibility_s, share):
                    return found
                if (left := deadline - loop.time()) <= 0:
                    return []
                due_s = await self.next_due_s(queue, share)
                if not await is_set_within(woken, max(0.0, min(left, due_s))):
                    self.look_for_due(queue)

    async def _claim_or_return(
        self, queue: Queue, limit: int, visibility_s: float, share: LaneShare | None
    ) -> list[Received]:
        """A claim whose caller is cancelled is completed, and what it claimed is returned."""
        claiming = asyncio.create_task(self.claim_now(queue, limit, visibility_s, share))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            await asyncio.wait((claiming,))
            if claiming.exception() is None and (found := claiming.result()):
                await self.return_unprocessed(found)
            raise

    async def claim_now(
        self,
        queue: Queue,
        limit: int,
        visibility_s: float,
        share: LaneShare | None = None,
        *,
        with_times: bool = True,
    ) -> list[Received]:
        """Claims what is visible now. Messages received too often are moved to the dead letters, and the search continues.
        If the caller is cancelled, messages may be claimed all the same."""
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
        while True:
            rows, is_everything = await self._claims.claim(
                Claim(queue, parameters, limit, dead_letter_queue, with_times), share
            )
            if not rows and not is_everything:
                continue
            alive = [row for row in rows if row["queue_id"] == queue_id]
            dead = len(rows) - len(alive)
            if dead:
                self._metrics.dead_lettered.labels(label_of(queue)).inc(dead)
            if alive or not dead:
                self._metrics.received.labels(label_of(queue)).inc(len(alive))
                names = self.registry.snapshot.queue_names
                return [StoredMessage(queue.name, row, self._arns, names) for row in alive]

    def look_for_due(self, queue: str) -> None:
        """Makes the next claim look for parked messages that are due, even if another did so a moment ago."""
        self._claims.look_for_due(queue)

    async def next_due_s(self, queue: str, share: LaneShare | None = None) -> float:
        """Seconds until a claim may find something without a notification."""
        poll_s = POLL_S if self._waiters.is_listening else POLL_WITHOUT_LISTENER_S
        if self.settings_of(queue).is_fifo:
            query = _client_sql["next_hidden"]
        else:
            # Messages of a full lane are visible and must wait all the same; the lane wakes the claim when it has room.
            query = _sql["next_parked" if share is not None and share.has_full_lane else "next_due"]
        async with self._database.statement() as tx:
            left: timedelta | None = await query.value(tx, queue_id=self._id(queue))
        return poll_s if left is None else min(poll_s, left.total_seconds())

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
        """Deletes messages in memory, whose receipts need not be encoded and decoded. Returns those that others have received."""
        keys = [
            one.receive_key if isinstance(one, StoredMessage) else read_receipt(queue_id, one.receipt)
            for one in received
        ]
        lost: list[Received] = []
        for receive_count in {count for _, count in keys}:
            seqs = [seq for seq, count in keys if count == receive_count]
            rows = await _sql["delete_received"].rows(tx, queue_id=queue_id, seqs=seqs, receive_count=receive_count)
            if len(rows) < len(seqs):
                gone = {(row["seq"], receive_count) for row in rows}
                lost += [
                    one for one, key in zip(received, keys, strict=True) if key[1] == receive_count and key not in gone
                ]
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
                await self.notify(tx, queue)
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
                await self.notify(tx, received.queue)

    async def return_unprocessed(self, received: Sequence[Received]) -> None:
        async with self._database.transaction() as tx:
            for one in received:
                queue_id = self._id(one.queue)
                seq, receive_count = read_receipt(queue_id, one.receipt)
                await _sql["return_unprocessed"].run(tx, queue_id=queue_id, seq=seq, receive_count=receive_count)
            await self.notify(tx, *{one.queue for one in received})

    async def bury(self, received: Received, reason: str) -> None:
        queue = self.settings_of(received.queue)
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
            await self.notify(tx, dead_letter_queue)
        if changed:
            self._metrics.dead_lettered.labels(label_of(queue)).inc()

    async def notify(self, tx: Transaction, *queues: str) -> None:
        """Wakes those who wait for these queues when the transaction commits."""
        await notify_queues(tx, *queues)

    async def purge(self, queue: str) -> int:
        queue_id = self._id(queue)
        async with self._database.transaction() as tx:
            if self.settings_of(queue).is_fifo:
                # What was sent before the purge is no duplicate of what is sent after it.
                await lock_fifo(tx, [queue_id])
                await _client_sql["forget_deduplications_of_queue"].run(tx, queue_id=queue_id)
            return await _sql["purge"].run(tx, queue_id=queue_id)

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
        async with self._database.transaction() as tx:
            await _client_sql["forget_deduplications"].run(tx)
            await forget_topic_deduplications(tx)
        await self.registry.forget_removals()
        self._claims.forget_queues_but(self.registry.snapshot.queues)
        return removed

    async def _adopt(self, tx: Transaction) -> None:
        """Gives a lane to messages that were added before queues were fair, or by a process of an older version."""
        await _sql["adopt"].run(tx, queue_ids=[self._id(one.name) for one in self.topology.queues if one.is_fair])

    def settings_of(self, name: str) -> Queue:
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

    def find_queue(self, name: str) -> KnownQueue:
        return KnownQueue(self._id(name), self.settings_of(name))

    def _dead_letter_queue_of(self, queue: Queue) -> str | None:
        """None if there is none, or if a client deleted it: then messages stay where they are."""
        name = queue.dead_letter_queue
        return name if name in self._declared or name in self.registry.snapshot.queues else None
