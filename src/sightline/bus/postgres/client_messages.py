"""Messages in the queues of clients: sent, received, deleted and hidden with the semantics of SQS.

Calls of the same moment share a statement and a commit. What one entry of a batch did wrong is reported for that entry.
"""

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sightline.bus.limits import MAX_VISIBILITY_S, BusRefusal, check_receive, check_visibility
from sightline.bus.message import Received
from sightline.bus.names import new_ids
from sightline.bus.postgres.adding import Added, MessageAdder, lock_fifo
from sightline.bus.postgres.bus import PostgresBus
from sightline.bus.postgres.plain_writes import PlainWrites, ReceiptKey
from sightline.bus.postgres.quota_meter import QuotaMeter
from sightline.bus.postgres.receipts import read_receipt
from sightline.bus.registry import RegisteredQueue
from sightline.bus.routed import Routed
from sightline.bus.sqs.messages import (
    NewQueueMessage,
    check_new_message,
    deduplication_id_of,
    system_attributes_text,
)
from sightline.db import Database, Grouped, Transaction, load_queries

ATTEMPT_KEPT_S = 300.0
MAX_ATTEMPTS_KEPT = 10_000

_sql = load_queries(Path(__file__).with_name("client_queries.sql"))

Outcome = BusRefusal | None


class SentMessage(NamedTuple):
    message_id: str
    sequence_number: int | None


class QueueSizes(NamedTuple):
    visible: int
    in_flight: int
    delayed: int


class _Send(NamedTuple):
    queue: RegisteredQueue
    routed: list[Routed]
    delays: list[float]

    @property
    def is_plain(self) -> bool:
        """Whether the messages are nothing but bodies, to be delivered at once and in no order."""
        settings = self.queue.settings
        return not (
            settings.is_fifo
            or settings.is_fair
            or any(self.delays)
            or any(one.attributes or one.system_attributes for one in self.routed)
        )


class _Given(NamedTuple):
    """A receipt that a client gave: which message, and which receive of it."""

    queue_id: int
    seq: int
    receive_count: int
    visibility_s: float = 0.0

    @property
    def key(self) -> tuple[int, int]:
        return self.queue_id, self.seq


class ClientMessages:
    def __init__(self, bus: PostgresBus, database: Database, quota: QuotaMeter) -> None:
        self._bus = bus
        self._database = database
        self._quota = quota
        self._adder = MessageAdder(bus.find_queue)
        self._plain = PlainWrites(database, bus.find_queue)
        self._sends = Grouped(self._send_group)
        self._fifo_sends = Grouped(self._send_fifo_group)
        self._changes = Grouped(self._hide_group)
        self._attempts: dict[tuple[int, str], tuple[float, list[Received]]] = {}

    async def send(self, queue: RegisteredQueue, messages: Sequence[NewQueueMessage]) -> list[SentMessage | BusRefusal]:
        """Each message is sent or refused on its own."""
        self._quota.check(queue.account_id, len(messages), sum([one.size for one in messages]))
        outcomes: list[SentMessage | BusRefusal | None] = []
        request = _Send(queue, [], [])
        for message, message_id in zip(messages, new_ids(len(messages)), strict=True):
            try:
                delay_s = check_new_message(queue, message)
            except BusRefusal as refusal:
                outcomes.append(refusal)
                continue
            outcomes.append(None)
            deduplication_id = deduplication_id_of(queue, message)
            request.delays.append(delay_s)
            request.routed.append(
                Routed(
                    queue.name,
                    message_id,
                    message.body,
                    message.attributes,
                    group_id=message.group_id,
                    deduplication_id=deduplication_id,
                    system_attributes=system_attributes_text(message, deduplication_id),
                )
            )
        sent = iter(await self._store(request) if request.routed else ())
        return [next(sent) if one is None else one for one in outcomes]

    async def _store(self, request: _Send) -> list[SentMessage]:
        if request.queue.is_fifo:
            return [SentMessage(*one) for one in await self._fifo_sends.call(request)]
        ids = [one.message_id for one in request.routed]
        if request.is_plain:
            await self._plain.send(request.queue.name, ids, [one.body for one in request.routed])
        else:
            await self._sends.call(request)
        return [SentMessage(one, None) for one in ids]

    async def send_plain(self, queue: RegisteredQueue, bodies: list[str], size: int) -> list[str]:
        """Sends bodies of which `plain_texts` said that they may be sent as they are; `size` is their bytes. Returns the ids of
        the messages."""
        self._quota.check(queue.account_id, len(bodies), size)
        ids = new_ids(len(bodies))
        await self._plain.send(queue.name, ids, bodies)
        return ids

    async def _send_group(self, sends: Sequence[_Send]) -> list[None]:
        routed = [one for send in sends for one in send.routed]
        delays = [delay for send in sends for delay in send.delays]
        async with self._database.transaction() as tx:
            await self._adder.add(tx, routed, delays, [None] * len(routed))
        return [None] * len(sends)

    async def _send_fifo_group(self, sends: Sequence[_Send]) -> list[list[Added]]:
        routed = [one for send in sends for one in send.routed]
        delays = [delay for send in sends for delay in send.delays]
        async with self._database.transaction() as tx:
            added = iter(await self._adder.add_to_fifo(tx, routed, delays, [None] * len(routed)))
        return [[next(added) for _ in send.routed] for send in sends]

    async def receive(
        self,
        queue: RegisteredQueue,
        *,
        limit: int = 1,
        wait_s: float | None = None,
        visibility_s: float | None = None,
        attempt_id: str | None = None,
        with_times: bool = True,
    ) -> list[Received]:
        """A FIFO receive that is repeated with the same attempt id within five minutes returns the same messages."""
        if queue.is_fifo and attempt_id is not None:
            key = (queue.id, attempt_id)
            if (again := await self._repeated(queue, key, visibility_s)) is not None:
                return again
        found = await self._bus.receive(
            queue.name, limit=limit, wait_s=wait_s, visibility_s=visibility_s, with_times=with_times
        )
        if queue.is_fifo and attempt_id is not None and found:
            self._attempts[key] = (time.monotonic() + ATTEMPT_KEPT_S, found)
        return found

    async def _repeated(
        self, queue: RegisteredQueue, key: tuple[int, str], visibility_s: float | None
    ) -> list[Received] | None:
        now = time.monotonic()
        if len(self._attempts) > MAX_ATTEMPTS_KEPT:
            self._attempts = {one: kept for one, kept in self._attempts.items() if kept[0] > now}
        until, received = self._attempts.get(key, (0.0, []))
        if until <= now:
            return None
        seconds = queue.settings.visibility_s if visibility_s is None else visibility_s
        check_receive(1, 0, seconds)
        outcomes = await self.change_visibility(queue, [(one.receipt, seconds) for one in received])
        held = [one for one, refusal in zip(received, outcomes, strict=True) if refusal is None]
        if len(held) < len(received):  # some are deleted or visible again, so this is a new attempt
            del self._attempts[key]
            return None
        return held

    async def delete(self, queue: RegisteredQueue, receipts: Sequence[str]) -> list[Outcome]:
        """Deleting twice is not an error. A FIFO queue refuses the receipt of a message whose visibility has ended."""
        given: list[ReceiptKey] = []
        outcomes: list[ReceiptKey | BusRefusal] = []
        for receipt in receipts:
            try:
                key = (queue.id, *read_receipt(queue.id, receipt))
            except BusRefusal as refusal:
                outcomes.append(refusal)
            else:
                given.append(key)
                outcomes.append(key)
        if queue.is_fifo:
            expired = await self._delete_from_fifo(queue, given) if given else set()
            return [
                one if isinstance(one, BusRefusal) else _expired(receipt) if one[1] in expired else None
                for one, receipt in zip(outcomes, receipts, strict=True)
            ]
        if given:
            await self._plain.delete(given)
        return [one if isinstance(one, BusRefusal) else None for one in outcomes]

    async def _delete_from_fifo(self, queue: RegisteredQueue, given: Sequence[ReceiptKey]) -> set[int]:
        """Returns those that exist and could not be deleted."""
        async with self._database.transaction(by_index=True) as tx:
            await lock_fifo(tx, [queue.id])
            left = await self._delete_where_held(tx, queue, given)
            if left:  # perhaps only because they changed while the statement waited
                left = await self._delete_where_held(tx, queue, [one for one in given if one[1] in left])
            await self._bus.notify(tx, queue.name)  # the rest of their groups may be received now
        return left

    async def _delete_where_held(
        self, tx: Transaction, queue: RegisteredQueue, given: Sequence[ReceiptKey]
    ) -> set[int]:
        """Returns those that were there when the statement began and that it did not delete."""
        _, seqs, counts = zip(*sorted(given), strict=True)
        rows = await _sql["delete_from_fifo"].rows(tx, queue_id=queue.id, seqs=seqs, receive_counts=counts)
        return {row["seq"] for row in rows}

    async def change_visibility(self, queue: RegisteredQueue, given: Sequence[tuple[str, float]]) -> list[Outcome]:
        """Hides each message for its time from now on; 0 makes it visible."""
        outcomes: list[Outcome] = []
        requests: list[_Given] = []
        for receipt, visibility_s in given:
            try:
                check_visibility(visibility_s)
                seq, receive_count = read_receipt(queue.id, receipt)
            except BusRefusal as refusal:
                outcomes.append(refusal)
            else:
                outcomes.append(None)
                requests.append(_Given(queue.id, seq, receive_count, visibility_s))
        changed = await self._changes.call((queue, requests)) if requests else {}
        return [
            refusal
            if refusal is not None or (reason := changed.get(read_receipt(queue.id, receipt)[0])) is None
            else _not_hidden(reason, receipt, visibility_s)
            for refusal, (receipt, visibility_s) in zip(outcomes, given, strict=True)
        ]

    async def _hide_group(self, groups: Sequence[tuple[RegisteredQueue, list[_Given]]]) -> list[dict[int, str]]:
        """For each group: the messages that could not be changed, with the reason."""
        changed: set[tuple[int, int]] = set()
        async with self._database.transaction(by_index=True) as tx:
            await lock_fifo(tx, [queue.id for queue, _ in groups if queue.is_fifo])
            for is_fifo in {queue.is_fifo for queue, _ in groups}:
                given = [one for queue, group in groups if queue.is_fifo == is_fifo for one in group]
                now_changed = await _hide(tx, given, is_fifo=is_fifo)
                if missed := [one for one in given if one.key not in now_changed]:
                    # Perhaps only because they changed while the statement waited for them.
                    now_changed |= await _hide(tx, missed, is_fifo=is_fifo)
                changed |= now_changed
            missed = [one for _, group in groups for one in group if one.key not in changed]
            there = await _existing(tx, missed) if missed else set()
            # A time that became shorter may be the next one that a receiver waits for.
            await self._bus.notify(tx, *{queue.name for queue, _ in groups})
        return [
            {one.seq: _reason(queue, is_there=one.key in there) for one in group if one.key not in changed}
            for queue, group in groups
        ]

    async def purge(self, queue: RegisteredQueue) -> None:
        await self._bus.purge(queue.name)

    async def sizes(self, queue: RegisteredQueue) -> QueueSizes:
        async with self._database.transaction(by_index=True) as tx:
            row = await _sql["counts_of_queue"].row(tx, queue_id=queue.id)
        assert row is not None
        return QueueSizes(row["visible"], row["in_flight"], row["delayed"])


def _in_lock_order(given: Iterable[_Given]) -> list[_Given]:
    """Statements that lock the same messages lock them in this order, so that none waits for another in a circle."""
    return sorted(given)


async def _hide(tx: Transaction, given: Iterable[_Given], *, is_fifo: bool) -> set[tuple[int, int]]:
    """Returns those that changed."""
    ordered = _in_lock_order(given)
    rows = await _sql["hide_many"].rows(
        tx,
        queue_ids=[one.queue_id for one in ordered],
        seqs=[one.seq for one in ordered],
        receive_counts=[one.receive_count for one in ordered],
        visibilities=[one.visibility_s for one in ordered],
        is_fifo=is_fifo,
        max_s=MAX_VISIBILITY_S,
    )
    return {(row["queue_id"], row["seq"]) for row in rows}


async def _existing(tx: Transaction, given: Sequence[_Given]) -> set[tuple[int, int]]:
    rows = await _sql["existing"].rows(tx, queue_ids=[one.queue_id for one in given], seqs=[one.seq for one in given])
    return {(row["queue_id"], row["seq"]) for row in rows}


def _expired(receipt: str) -> BusRefusal:
    return BusRefusal(
        f"Value {receipt} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."
    )


def _reason(queue: RegisteredQueue, *, is_there: bool) -> str:
    if not is_there:
        return "gone"
    return "expired" if queue.is_fifo else "too long"


def _not_hidden(reason: str, receipt: str, visibility_s: float) -> BusRefusal:
    match reason:
        case "expired":
            return _expired(receipt)
        case "too long":
            return BusRefusal(
                f"Value {visibility_s:g} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for "
                f"the message is beyond the limit [{MAX_VISIBILITY_S} seconds]."
            )
        case _:
            return BusRefusal(
                f"Value {receipt} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not "
                "available for visibility timeout change."
            )
