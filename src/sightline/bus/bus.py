"""The promises of the bus, kept by PostgreSQL or by AWS. What is promised is written here once."""

from collections.abc import Sequence
from typing import Protocol

from sightline.bus.message import BusEvent, QueueCounts, QueueMessage, Received, TopicMessage
from sightline.bus.topology import Topology
from sightline.db import Transaction


class Sender(Protocol):
    """Says things as part of the caller's transaction: they are said if it commits, and not if it does not."""

    async def publish(self, tx: Transaction, *messages: TopicMessage) -> list[str]:
        """On topics; returns the message ids. Unknown topics, messages too large or malformed are refused, all or none."""

    async def put_events(self, tx: Transaction, *events: BusEvent) -> list[str]:
        """On the event bus; returns the event ids."""

    async def send(self, tx: Transaction, queue: str, *messages: QueueMessage) -> list[str]:
        """To one queue; returns the message ids."""


class Queues(Protocol):
    """Receiving, with the semantics of SQS standard queues. A message is delivered at least once."""

    topology: Topology
    acknowledges_in_transaction: bool
    """Whether `acknowledge` takes part in the given transaction; otherwise it has to follow the commit."""

    async def receive(
        self, queue: str, *, limit: int = 1, wait_s: float | None = None, visibility_s: float | None = None
    ) -> list[Received]:
        """Up to ten messages, at once if any is there, otherwise as soon as one is, within `wait_s`.

        None takes the queue's own number. A message that was received `max_receives` times already goes to the
        dead-letter queue instead.
        """

    async def claim(
        self, queue: str, *, limit: int, wait_s: float, visibility_s: float | None = None
    ) -> list[Received]:
        """As `receive`, for consumers: as many at once as the keeper finds good, up to `limit`."""

    async def acknowledge(self, tx: Transaction | None, received: Sequence[Received]) -> list[Received]:
        """The messages are done with. Returns those that were no longer ours, as far as the keeper can tell: received again by
        somebody else, and perhaps done by them already. What was done for those must not count."""

    async def delete(self, queue: str, receipts: Sequence[str]) -> list[str]:
        """By receipt; returns those that are stale: received again since, so the message stays. Gone already is fine."""

    async def change_visibility(self, queue: str, receipts: Sequence[str], visibility_s: float) -> list[str]:
        """Hides the messages for so long from now on; 0 shows them at once. Returns the receipts of messages that are gone."""

    async def extend(self, received: Sequence[Received], visibility_s: float) -> list[Received]:
        """Keeps messages hidden for a consumer at work; returns those that somebody else has by now, or that are gone."""

    async def release(self, received: Received, *, delay_s: float, reason: str | None = None) -> None:
        """To be received again after the delay; the reason is kept where the keeper can. Not an error if it is gone."""

    async def return_unprocessed(self, received: Sequence[Received]) -> None:
        """To be received again at once and, where the keeper can, as if they never had been."""

    async def bury(self, received: Received, reason: str) -> None:
        """To the dead-letter queue at once, with the reason; where there is none, the message is released."""

    async def purge(self, queue: str) -> int:
        """Removes everything in the queue; says how many if it can, -1 otherwise."""

    async def counts(self) -> list[QueueCounts]:
        """Of every queue."""


class DeadLetters(Protocol):
    """Looking at dead letters and giving them another chance. `queue` is the dead-letter queue or its source."""

    async def peek(self, queue: str, *, limit: int, after: str | None = None) -> list[Received]:
        """Without receiving them, oldest first; `after` is the `message_id` to continue behind."""

    async def redrive(self, queue: str, message_ids: Sequence[str]) -> int:
        """Back to the queue each came from, as if new; says how many."""

    async def discard(self, queue: str, message_ids: Sequence[str]) -> int:
        """For good; says how many."""


class Bus(Sender, Queues, DeadLetters, Protocol):
    """All of it."""

    async def create(self) -> None:
        """Makes everything the topology names. Safe to repeat, and from many processes at once."""

    async def check(self) -> None:
        """Raises with the reason if it cannot do its work."""
