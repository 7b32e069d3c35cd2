"""Queues of the AWS backend: receiving from SQS.

SQS counts in whole seconds, so waits and visibilities are rounded up. It does not report whether a receipt is stale: a
message that another consumer has received since is usually deleted all the same. So `acknowledge` and `extend` rarely
return anything, and consumers have to be idempotent, as with any standard queue.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sightline.aws import translate_errors
from sightline.bus.aws import published
from sightline.bus.aws.clients import AwsClients
from sightline.bus.aws.context import ATTRIBUTE, MAX_REASON_LENGTH, DeathRecord, MessageContext, add_to_attributes
from sightline.bus.aws.errors import INVALID_RECEIPT, SQS, entry_error
from sightline.bus.aws.messages import attributes_to_aws, fingerprint_of, in_ms, read_received
from sightline.bus.lanes import LaneShare
from sightline.bus.limits import MAX_RECEIVE, MAX_VISIBILITY_S, BusRefusal, check_receive, check_visibility
from sightline.bus.message import QueueCounts, Received
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import unknown_queue
from sightline.bus.topology import Queue, Topology
from sightline.db import Database
from sightline.errors import PlatformError

MAX_PARALLEL_RECEIVES = 8
# Error codes of a visibility change for a message that is deleted.
_GONE = frozenset({INVALID_RECEIPT, "InvalidParameterValue", "MessageNotInflight"})


class AwsQueues:
    acknowledges_in_transaction = False

    def __init__(self, database: Database, clients: AwsClients, topology: Topology, metrics: BusMetrics) -> None:
        self.topology = topology
        self._database = database
        self._clients = clients
        self._metrics = metrics
        self._queues = {queue.name: queue for queue in topology.all_queues}
        self._sources = {queue.dead_letter_queue: queue.name for queue in topology.queues if queue.dead_letter_queue}

    async def receive(
        self, queue: str, *, limit: int = 1, wait_s: float | None = None, visibility_s: float | None = None
    ) -> list[Received]:
        settings = self._queue(queue)
        check_receive(
            limit,
            settings.wait_s if wait_s is None else wait_s,
            settings.visibility_s if visibility_s is None else visibility_s,
        )
        # Omitted values are left to SQS, which has the settings of the queue.
        request: dict[str, Any] = {"MaxNumberOfMessages": limit}
        if wait_s is not None:
            request["WaitTimeSeconds"] = math.ceil(wait_s)
        if visibility_s is not None:
            request["VisibilityTimeout"] = math.ceil(visibility_s)
        url = await self._clients.queue_url(queue)
        with translate_errors(SQS, queue=queue):
            response = await self._clients.sqs.receive_message(
                QueueUrl=url, MessageSystemAttributeNames=["All"], MessageAttributeNames=["All"], **request
            )
        messages = response.get("Messages", ())
        self._metrics.received.labels(queue).inc(len(messages))
        return await self._read(settings, messages)

    async def _read(self, queue: Queue, messages: Sequence[Mapping[str, Any]]) -> list[Received]:
        prints = {str(message["ReceiptHandle"]): fingerprint_of(message) for message in messages}
        wanted = [one for one in prints.values() if one is not None]
        known: Mapping[bytes, MessageContext] = {}
        if wanted:
            async with self._database.transaction() as tx:
                known = await published.find(tx, wanted)
        source = self._sources.get(queue.name)
        return [
            read_received(queue, source, message, recorded=known.get(prints[str(message["ReceiptHandle"])] or b""))
            for message in messages
        ]

    async def claim(
        self,
        queue: str,
        *,
        limit: int,
        wait_s: float,
        visibility_s: float | None = None,
        share: LaneShare | None = None,
    ) -> list[Received]:
        """One receive waits; only when it returns a full batch do parallel receives fetch the rest without waiting.

        If all of them waited, the full ones would wait for the empty ones; and a cancelled receive may hide messages
        until their visibility ends.
        """
        found = await self.receive(queue, limit=min(limit, MAX_RECEIVE), wait_s=wait_s, visibility_s=visibility_s)
        rest = min(limit - len(found), MAX_PARALLEL_RECEIVES * MAX_RECEIVE)
        if len(found) < MAX_RECEIVE or rest <= 0:
            return found
        shares = [min(MAX_RECEIVE, rest - start) for start in range(0, rest, MAX_RECEIVE)]
        responses = await asyncio.gather(
            *(self.receive(queue, limit=share, wait_s=0, visibility_s=visibility_s) for share in shares),
            return_exceptions=True,
        )
        # Received messages are claimed already; a failed receive claimed nothing.
        return [*found, *(one for response in responses if isinstance(response, list) for one in response)]

    async def acknowledge(self, tx: object, received: Sequence[Received]) -> list[Received]:
        by_queue: dict[str, list[Received]] = defaultdict(list)
        for one in received:
            by_queue[one.queue].append(one)
        stale: list[Received] = []
        for queue, group in by_queue.items():
            # SQS issued these receipts, so one that it rejects belongs to a message that another consumer has.
            refused = set(await self._delete(queue, [one.receipt for one in group]))
            stale += [one for one in group if one.receipt in refused]
        return stale

    async def delete(self, queue: str, receipts: Sequence[str]) -> list[str]:
        if refused := await self._delete(queue, receipts):
            raise BusRefusal(f'The input receipt handle "{refused[0]}" is not a valid receipt handle.', INVALID_RECEIPT)
        return []

    async def change_visibility(self, queue: str, receipts: Sequence[str], visibility_s: float) -> list[str]:
        check_visibility(visibility_s)
        number = math.ceil(visibility_s)
        failed = await self._in_batches(queue, "change_message_visibility_batch", receipts, VisibilityTimeout=number)
        gone = []
        for receipt, entry in failed:
            if "beyond the limit" in str(entry.get("Message")):
                raise BusRefusal(str(entry.get("Message")))
            if entry.get("Code") not in _GONE:
                raise entry_error(entry, SQS, queue=queue)
            gone.append(receipt)
        return gone

    async def extend(self, received: Sequence[Received], visibility_s: float) -> list[Received]:
        """SQS reports deleted messages only, not those that another consumer received."""
        if not received:
            return []
        gone = set(await self.change_visibility(received[0].queue, [one.receipt for one in received], visibility_s))
        return [one for one in received if one.receipt in gone]

    async def release(self, received: Received, *, delay_s: float, reason: str | None = None) -> None:
        """SQS cannot store the reason."""
        await self.change_visibility(received.queue, [received.receipt], min(max(delay_s, 0.0), MAX_VISIBILITY_S))

    async def return_unprocessed(self, received: Sequence[Received]) -> None:
        """SQS keeps counting the receive."""
        by_queue: dict[str, list[str]] = defaultdict(list)
        for one in received:
            by_queue[one.queue].append(one.receipt)
        for queue, receipts in by_queue.items():
            await self.change_visibility(queue, receipts, 0)

    async def bury(self, received: Received, reason: str) -> None:
        """Sends before it deletes, so that a crash in between leaves two copies with one id rather than none."""
        dead_letter_queue = self._queue(received.queue).dead_letter_queue
        if dead_letter_queue is None:
            await self.release(received, delay_s=0)
            return
        death = DeathRecord(
            queue=received.queue,
            reason=_printable(reason)[:MAX_REASON_LENGTH],
            receive_count=received.receive_count or 0,
            sent_ms=in_ms(received.sent_at),
            first_received_ms=in_ms(received.first_received_at),
        )
        carried = MessageContext(received.message_id, received.context, death, received.redrives)
        await self._send_copy(dead_letter_queue, received, carried)
        await self._delete(received.queue, [received.receipt])
        self._metrics.dead_lettered.labels(received.queue).inc()

    async def purge(self, queue: str) -> int:
        self._queue(queue)
        url = await self._clients.queue_url(queue)
        with translate_errors(SQS, queue=queue):
            await self._clients.sqs.purge_queue(QueueUrl=url)
        return -1

    async def counts(self) -> list[QueueCounts]:
        return list(await asyncio.gather(*(self._count(queue) for queue in sorted(self._queues))))

    async def _count(self, queue: str) -> QueueCounts:
        names = [f"ApproximateNumberOfMessages{state}" for state in ("", "NotVisible", "Delayed")]
        url = await self._clients.queue_url(queue)
        with translate_errors(SQS, queue=queue):
            response = await self._clients.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)
        visible, in_flight, delayed = (int(response["Attributes"].get(name, 0)) for name in names)
        return QueueCounts(queue, visible, in_flight, delayed, oldest_age_s=None)

    async def _send_copy(self, queue: str, received: Received, carried: MessageContext) -> None:
        """Sends the same message to another queue, with its context if that fits."""
        attributes = {name: value for name, value in received.attributes.items() if name != ATTRIBUTE}
        url = await self._clients.queue_url(queue)
        with translate_errors(SQS, queue=queue):
            await self._clients.sqs.send_message(
                QueueUrl=url,
                MessageBody=received.body,
                MessageAttributes=attributes_to_aws(add_to_attributes(attributes, received.body, carried)),
                DelaySeconds=0,
            )

    async def _delete(self, queue: str, receipts: Sequence[str]) -> list[str]:
        """Returns the receipts that SQS rejects as invalid."""
        failed = await self._in_batches(queue, "delete_message_batch", receipts)
        failure: PlatformError | None = None
        refused = []
        for receipt, entry in failed:
            if entry.get("Code") == INVALID_RECEIPT:
                refused.append(receipt)
            else:
                failure = entry_error(entry, SQS, queue=queue)
        if failure is not None:
            raise failure
        return refused

    async def _in_batches(
        self, queue: str, operation: str, receipts: Sequence[str], **more: Any
    ) -> list[tuple[str, dict[str, Any]]]:
        """Calls a batch operation with ten receipts per call; returns the failed receipts with their error entries."""
        self._queue(queue)
        url = await self._clients.queue_url(queue)

        async def one_call(some: Sequence[str]) -> list[tuple[str, dict[str, Any]]]:
            entries = [{"Id": str(number), "ReceiptHandle": receipt, **more} for number, receipt in enumerate(some)]
            with translate_errors(SQS, queue=queue):
                response = await getattr(self._clients.sqs, operation)(QueueUrl=url, Entries=entries)
            return [(some[int(entry["Id"])], entry) for entry in response.get("Failed", ())]

        starts = range(0, len(receipts), MAX_RECEIVE)
        responses = await asyncio.gather(*(one_call(receipts[start : start + MAX_RECEIVE]) for start in starts))
        return [failed for response in responses for failed in response]

    def _queue(self, name: str) -> Queue:
        try:
            return self._queues[name]
        except KeyError:
            raise unknown_queue(name) from None


def _printable(text: str) -> str:
    """Replaces control characters, which SQS rejects."""
    return "".join(one if one.isprintable() or one in "\n\t" else "\ufffd" for one in text)
