"""Acknowledgements of live messages: those that arrive together share one statement and one commit."""

from collections.abc import Sequence

from sightline.db import Database, Grouped
from sightline.live import store
from sightline.live.store import Ack

MAX_ACKS_PER_COMMIT = 1000


class AckWriter:
    """A message to a thousand screens comes back as a thousand acknowledgements at once; a single one is stored at once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._grouped: Grouped[Ack, int] = Grouped(self._store, max_size=MAX_ACKS_PER_COMMIT)

    async def write(self, ack: Ack) -> int:
        """Returns the device's mark after the commit, or raises what kept the acknowledgement from being stored."""
        return await self._grouped.call(ack)

    async def _store(self, acks: Sequence[Ack]) -> list[int]:
        async with self._database.transaction() as tx:
            marks = await store.acknowledge(tx, acks)
        return [marks[ack.device] for ack in acks]
