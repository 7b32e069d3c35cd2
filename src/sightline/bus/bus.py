"""Interfaces of the bus, implemented on PostgreSQL and on AWS. Each guarantee is documented here once."""

from collections.abc import Sequence
from typing import Protocol

from sightline.bus.lanes import LaneShare
from sightline.bus.message import BusEvent, QueueCounts, QueueMessage, Received, TopicMessage
from sightline.bus.topology import Topology
from sightline.db import Transaction


class Sender(Protocol):
    """Sends messages as part of the caller's transaction: they are sent if and only if it commits."""

    async def publish(self, tx: Transaction, *messages: TopicMessage) -> list[str]:
        """Publishes on topics and returns the message ids. One unknown topic, oversized or malformed message rejects all."""

    async def check_topic(self, topic: str) -> None:
        """Raises `TopicRefused` with the reason if the topic, a name or an ARN, does not exist or may not be used.

        The PostgreSQL backend refuses a topic without subscriptions as well, because its messages would reach no queue.
        """

    async def wait_until_accepted(self, publication: str) -> None:
        """Returns when the bus has accepted every message of the publication that was committed.

        Raises `NotAccepted` with the reason if one of them was refused for good.
        """

    async def retry_refused(self, tx: Transaction, publication: str) -> int:
        """Sends the messages of a publication that were refused for good again; returns how many."""

    async def put_events(self, tx: Transaction, *events: BusEvent) -> list[str]:
        """Puts events on the event bus and returns the event ids."""

    async def send(self, tx: Transaction, queue: str, *messages: QueueMessage) -> list[str]:
        """Sends messages to one queue and returns the message ids."""


class Queues(Protocol):
    """Receiving messages, with the semantics of SQS standard queues. A message is delivered at least once."""

    topology: Topology
    acknowledges_in_transaction: bool
    """Whether `acknowledge` takes part in the given transaction; otherwise it has to follow the commit."""

    async def receive(
        self, queue: str, *, limit: int = 1, wait_s: float | None = None, visibility_s: float | None = None
    ) -> list[Received]:
        """Receives up to ten messages: immediately if there are any, otherwise as soon as one arrives within `wait_s`.

        None means the queue's own setting. A message that was already received `max_receives` times goes to the
        dead-letter queue instead.
        """

    async def claim(
        self,
        queue: str,
        *,
        limit: int,
        wait_s: float,
        visibility_s: float | None = None,
        share: LaneShare | None = None,
    ) -> list[Received]:
        """Receives for a consumer: as many messages as the backend returns efficiently, up to `limit`.

        With a `share`, lanes of a fair queue that are full are left out where the backend knows lanes.
        """

    async def acknowledge(self, tx: Transaction | None, received: Sequence[Received]) -> list[Received]:
        """Removes processed messages. Returns those whose claim was lost, as far as the backend knows: another consumer
        received them again and may have processed them. Work done for those must be rolled back."""

    async def delete(self, queue: str, receipts: Sequence[str]) -> list[str]:
        """Deletes by receipt. Returns the stale receipts: their message was received again since and stays. A message that is
        already deleted is not an error."""

    async def change_visibility(self, queue: str, receipts: Sequence[str], visibility_s: float) -> list[str]:
        """Hides the messages for `visibility_s` from now; 0 makes them visible. Returns the receipts of deleted messages."""

    async def extend(self, received: Sequence[Received], visibility_s: float) -> list[Received]:
        """Keeps messages hidden while a consumer works on them. Returns those that are lost or deleted."""

    async def release(self, received: Received, *, delay_s: float, reason: str | None = None) -> None:
        """Makes a message receivable again after the delay; the reason is stored where the backend can. A deleted message is
        not an error."""

    async def return_unprocessed(self, received: Sequence[Received]) -> None:
        """Makes messages receivable again at once, without counting the receive where the backend can."""

    async def bury(self, received: Received, reason: str) -> None:
        """Moves a message to the dead-letter queue with the reason; a queue without one releases it."""

    async def purge(self, queue: str) -> int:
        """Deletes everything in the queue; returns how many, or -1 if the backend does not know."""

    async def counts(self) -> list[QueueCounts]:
        """Counts of every queue."""


class DeadLetters(Protocol):
    """Reading, redriving and discarding dead letters. `queue` is the dead-letter queue or its source."""

    async def peek(self, queue: str, *, limit: int, after: str | None = None) -> list[Received]:
        """Reads without receiving, oldest first; `after` is the last `message_id` of the previous page."""

    async def redrive(self, queue: str, message_ids: Sequence[str]) -> int:
        """Moves each back to its source queue as a new message; returns how many."""

    async def discard(self, queue: str, message_ids: Sequence[str]) -> int:
        """Deletes permanently; returns how many."""


class Bus(Sender, Queues, DeadLetters, Protocol):
    """The whole bus."""

    async def create(self) -> None:
        """Creates everything the topology names. Safe to repeat, and from many processes at once."""

    async def check(self) -> None:
        """Raises with the reason if the bus is unusable."""
