"""Saying something on the feed, in the transaction that makes it true."""

from sightline.db import Transaction
from sightline.live import store
from sightline.live.message import LiveMessage
from sightline.live.store import StoredAck
from sightline.live.streams import stream_named


class LiveFeed:
    """Everybody who follows a stream gets the same messages under the same numbers, whichever process serves them."""

    async def append(self, tx: Transaction, message: LiveMessage) -> int:
        """Numbers and stores the message; it is told to whoever follows once the transaction has committed.

        Make it the last statement of the transaction. The stream's row is locked from here to the commit: that is what makes
        numbers follow commits and leaves no hole after a rollback, and it makes everybody else who appends wait meanwhile. Who
        locks rows of its own afterwards may even wait crosswise with one that locked them first and is about to append.
        A transaction may append several times; one that speaks on several streams does so in the order of `STREAMS`,
        like everybody, since two that lock them crosswise would wait for each other.

        The transaction is the platform's own (`Database.transaction`); people have no right to write here.
        """
        stream_named(message.stream)
        return await store.append(tx, message, message.encode())

    async def acks(self, tx: Transaction, stream: str, sequence: int) -> list[StoredAck]:
        """Which devices have the message for certain: they said so. That is not a person's acknowledgement of an event."""
        return await store.read_acks(tx, stream, sequence)
