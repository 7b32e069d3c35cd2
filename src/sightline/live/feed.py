"""Publishing on the live feed, in the transaction that makes the change."""

from sightline.db import Transaction
from sightline.live import store
from sightline.live.message import LiveMessage
from sightline.live.store import StoredAck
from sightline.live.streams import stream_named


class LiveFeed:
    """All followers of a stream get the same messages with the same numbers, from any process."""

    async def append(self, tx: Transaction, message: LiveMessage) -> int:
        """Numbers and stores the message; its followers receive it once the transaction has committed.

        Make it the last statement of the transaction. The stream's row is locked from here to the commit: that is what makes
        numbers follow commits and leaves no hole after a rollback, and other transactions that append wait until then. A
        transaction that locks more rows afterwards may deadlock with one that locked them first and is about to append.
        A transaction may append several times; one that appends to several streams does so in the order of `STREAMS`,
        since transactions that lock them in different orders would deadlock.

        The transaction is the platform's own (`Database.transaction`); users have no right to write here.
        """
        stream_named(message.stream)
        return await store.append(tx, message, message.encode())

    async def acks(self, tx: Transaction, stream: str, sequence: int) -> list[StoredAck]:
        """The devices that acknowledged the message. That is not a person's acknowledgement of an event."""
        return await store.read_acks(tx, stream, sequence)
