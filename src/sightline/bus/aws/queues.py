"""Receiving from SQS.

SQS counts in whole seconds, so waits and visibilities are rounded up. It does not tell whether a receipt was superseded:
a message that somebody else has received since is, as a rule, deleted all the same, so `acknowledge` and `extend`
rarely have anything to return, and consumers have to be idempotent, as with any standard queue.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sightline.aws import translate_errors
from sightline.bus.aws.clients import AwsClients
from sightline.bus.aws.context import ATTRIBUTE, MAX_REASON_LENGTH, DeathRecord, MessageContext, add_to_attributes
from sightline.bus.aws.errors import INVALID_RECEIPT, SQS, entry_error
from sightline.bus.aws.messages import attributes_to_aws, in_ms, read_received
from sightline.bus.limits import MAX_RECEIVE, MAX_VISIBILITY_S, BusRefusal, check_receive, check_visibility
from sightline.bus.message import QueueCounts, Received
from sightline.bus.metrics import BusMetrics
from sightline.bus.names import unknown_queue
from sightline.bus.topology import Queue, Topology
from sightline.errors import PlatformError

MAX_PARALLEL_RECEIVES = 8
# A message that is gone answers with the latter when its visibility is changed.
_GONE = frozenset({INVALID_RECEIPT, "InvalidParameterValue", "MessageNotInflight"})


class AwsQueues:
    acknowledges_in_transaction = False

    def __init__(self, clients: AwsClients, topology: Topology, metrics: BusMetrics) -> None:
        self.topology = topology
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
        # What is not given is left to SQS, which has the queue's own numbers.
        wanted: dict[str, Any] = {"MaxNumberOfMessages": limit}
        if wait_s is not None:
            wanted["WaitTimeSeconds"] = math.ceil(wait_s)
        if visibility_s is not None:
            wanted["VisibilityTimeout"] = math.ceil(visibility_s)
        url = await self._clients.queue_url(queue)
        with translate_errors(SQS, queue=queue):
            answer = await self._clients.sqs.receive_message(
                QueueUrl=url, MessageSystemAttributeNames=["All"], MessageAttributeNames=["All"], **wanted
            )
        messages = answer.get("Messages", ())
        self._metrics.received.labels(queue).inc(len(messages))
        return [read_received(settings, self._sources.get(queue), message) for message in messages]

    async def claim(
        self, queue: str, *, limit: int, wait_s: float, visibility_s: float | None = None
    ) -> list[Received]:
        """One receive waits; only when it comes back full do others, at once, ask for the rest.

        Were all of them to wait, the fullest would have to wait for the emptiest; and one that is broken off may take
        messages along that nobody then sees until their visibility ends.
        """
        found = await self.receive(queue, limit=min(limit, MAX_RECEIVE), wait_s=wait_s, visibility_s=visibility_s)
        rest = min(limit - len(found), MAX_PARALLEL_RECEIVES * MAX_RECEIVE)
        if len(found) < MAX_RECEIVE or rest <= 0:
            return found
        shares = [min(MAX_RECEIVE, rest - start) for start in range(0, rest, MAX_RECEIVE)]
        answers = await asyncio.gather(
            *(self.receive(queue, limit=share, wait_s=0, visibility_s=visibility_s) for share in shares),
            return_exceptions=True,
        )
        # What did come is in our hands already; a receive that failed took nothing.
        return [*found, *(one for answer in answers if isinstance(answer, list) for one in answer)]

    async def acknowledge(self, tx: object, received: Sequence[Received]) -> list[Received]:
        by_queue: dict[str, list[Received]] = defaultdict(list)
        for one in received:
            by_queue[one.queue].append(one)
        stale: list[Received] = []
        for queue, group in by_queue.items():
            # These receipts were given out by SQS, so one that it does not know any more is somebody else's.
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
        for receipt, said in failed:
            if "beyond the limit" in str(said.get("Message")):
                raise BusRefusal(str(said.get("Message")))
            if said.get("Code") not in _GONE:
                raise entry_error(said, SQS, queue=queue)
            gone.append(receipt)
        return gone

    async def extend(self, received: Sequence[Received], visibility_s: float) -> list[Received]:
        """Keeps messages hidden for a consumer at work; returns those that are gone."""
        if not received:
            return []
        gone = set(await self.change_visibility(received[0].queue, [one.receipt for one in received], visibility_s))
        return [one for one in received if one.receipt in gone]

    async def release(self, received: Received, *, delay_s: float, reason: str | None = None) -> None:
        """SQS has no place to keep the reason."""
        await self.change_visibility(received.queue, [received.receipt], min(max(delay_s, 0.0), MAX_VISIBILITY_S))

    async def return_unprocessed(self, received: Sequence[Received]) -> None:
        """They count as received; SQS forgets no receive."""
        by_queue: dict[str, list[str]] = defaultdict(list)
        for one in received:
            by_queue[one.queue].append(one.receipt)
        for queue, receipts in by_queue.items():
            await self.change_visibility(queue, receipts, 0)

    async def bury(self, received: Received, reason: str) -> None:
        """Sends before it deletes, so that a death between the two leaves two copies with one id rather than none."""
        dead_letter_queue = self._queue(received.queue).dead_letter_queue
        if dead_letter_queue is None:
            await self.release(received, delay_s=0)
            return
        death = DeathRecord(
            queue=received.queue,
            reason=_printable(reason)[:MAX_REASON_LENGTH],
            receive_count=received.receive_count,
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
            answer = await self._clients.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)
        visible, in_flight, delayed = (int(answer["Attributes"].get(name, 0)) for name in names)
        return QueueCounts(queue, visible, in_flight, delayed, oldest_age_s=None)

    async def _send_copy(self, queue: str, received: Received, carried: MessageContext) -> None:
        """The same message into another queue, with what is to be known of it if that fits."""
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
        """Returns the receipts that SQS does not take for receipts."""
        failed = await self._in_batches(queue, "delete_message_batch", receipts)
        trouble: PlatformError | None = None
        refused = []
        for receipt, said in failed:
            if said.get("Code") == INVALID_RECEIPT:
                refused.append(receipt)
            else:
                trouble = entry_error(said, SQS, queue=queue)
        if trouble is not None:
            raise trouble
        return refused

    async def _in_batches(
        self, queue: str, operation: str, receipts: Sequence[str], **more: Any
    ) -> list[tuple[str, dict[str, Any]]]:
        """Does something to each receipt, ten to a call; returns those it failed for, and what was said."""
        self._queue(queue)
        url = await self._clients.queue_url(queue)

        async def one_call(some: Sequence[str]) -> list[tuple[str, dict[str, Any]]]:
            entries = [{"Id": str(number), "ReceiptHandle": receipt, **more} for number, receipt in enumerate(some)]
            with translate_errors(SQS, queue=queue):
                answer = await getattr(self._clients.sqs, operation)(QueueUrl=url, Entries=entries)
            return [(some[int(said["Id"])], said) for said in answer.get("Failed", ())]

        starts = range(0, len(receipts), MAX_RECEIVE)
        answers = await asyncio.gather(*(one_call(receipts[start : start + MAX_RECEIVE]) for start in starts))
        return [failed for answer in answers for failed in answer]

    def _queue(self, name: str) -> Queue:
        try:
            return self._queues[name]
        except KeyError:
            raise unknown_queue(name) from None


def _printable(text: str) -> str:
    """SQS takes no control characters."""
    return "".join(one if one.isprintable() or one in "\n\t" else "\ufffd" for one in text)
