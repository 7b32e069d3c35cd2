"""Delivery of one message to a handler, and the transaction that commits the work with the acknowledgement."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

from sightline.bus.bus import Queues
from sightline.bus.envelope import event_type_of, payload_of, unwrap
from sightline.bus.message import Received, SnsNotification
from sightline.db import Database, Transaction
from sightline.errors import TransientFailure


class ClaimLost(TransientFailure):
    """Another consumer has received the message since, so the work done for it is rolled back."""


class RetryIn(TransientFailure):
    """The handler failed and has its own rule for when to try again."""

    def __init__(self, delay_s: float, reason: str) -> None:
        super().__init__(reason)
        self.delay_s = delay_s


class Delivery:
    """Do the work in the transaction of the delivery, and the message takes effect exactly once::

        async with delivery.transaction() as tx:
            await store.insert(tx, ...)

    A handler that opens none is acknowledged when it returns.
    """

    def __init__(self, received: Received, queues: Queues, database: Database) -> None:
        self.received = received
        self._queues = queues
        self._database = database
        self.is_settled = False

    @cached_property
    def notification(self) -> SnsNotification:
        """The message, whether it arrived wrapped, raw or sent directly to the queue."""
        return unwrap(self.received)

    @property
    def event_type(self) -> str | None:
        return event_type_of(self.notification)

    def payload(self) -> dict[str, Any]:
        return payload_of(self.notification)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Commits the work together with the acknowledgement; AWS acknowledges right after the commit."""
        if self.is_settled:
            raise RuntimeError("a delivery is settled in one transaction; this is the second")
        async with self._database.transaction() as tx:
            yield tx
            if self._queues.acknowledges_in_transaction:
                await settle(self._queues, tx, [self.received])
        if not self._queues.acknowledges_in_transaction:
            await self._queues.acknowledge(None, [self.received])
        self.is_settled = True


async def settle(queues: Queues, tx: Transaction, received: list[Received]) -> None:
    """Acknowledges in the transaction and raises `ClaimLost` if another consumer has one of the messages."""
    if lost := await queues.acknowledge(tx, received):
        raise ClaimLost(f"message {lost[0].message_id} of {lost[0].queue} was received by another consumer")
