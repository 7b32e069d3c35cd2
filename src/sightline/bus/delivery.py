"""One message in a handler's hands: what was said, and the transaction in which the work and its acknowledgement commit."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

from sightline.bus.bus import Queues
from sightline.bus.envelope import event_type_of, payload_of, unwrap
from sightline.bus.message import Notification, Received
from sightline.db import Database, Transaction
from sightline.errors import TransientFailure


class ClaimLost(TransientFailure):
    """Somebody else has received the message since: what was done for it must not count."""


class Delivery:
    """Give the work and the acknowledgement one transaction, and the message has its effect exactly once::

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
    def notification(self) -> Notification:
        """Whether it came wrapped, raw or straight to the queue."""
        return unwrap(self.received)

    @property
    def event_type(self) -> str | None:
        return event_type_of(self.notification)

    def payload(self) -> dict[str, Any]:
        return payload_of(self.notification)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Commits what is done in it together with the acknowledgement; a keeper that cannot, acknowledges right after."""
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
    """Acknowledges in the transaction, and undoes it all if one of the messages is no longer ours."""
    if lost := await queues.acknowledge(tx, received):
        raise ClaimLost(f"message {lost[0].message_id} of {lost[0].queue} was taken over by somebody else meanwhile")
