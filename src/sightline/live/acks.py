"""Acknowledgements that arrive together share one statement and one commit; each is confirmed only after that commit."""

import asyncio

from sightline.db import Database
from sightline.live import store
from sightline.live.store import Ack

LARGEST_GROUP = 1000


class AckWriter:
    """A message to a thousand screens comes back as a thousand acknowledgements at once; alone, one waits for nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[tuple[Ack, asyncio.Future[int]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, ack: Ack) -> int:
        """Returns the device's mark, or raises what kept the acknowledgement from being stored."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append((ack, answer))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        return await answer

    async def _write_all(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:LARGEST_GROUP], self._waiting[LARGEST_GROUP:]
            try:
                async with self._database.transaction() as tx:
                    marks = await store.acknowledge(tx, [ack for ack, _ in group])
            except Exception as error:  # told to each of those who wait
                for _, future in group:
                    if not future.done():
                        future.set_exception(error)
            else:
                for ack, future in group:
                    if not future.done():
                        future.set_result(marks[ack.device])
