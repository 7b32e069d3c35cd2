"""Turns of the requests of this process that write to one upload: the newest interrupts the one before it and waits for its end.

A client whose connection was cut comes back before this server has noticed. Between processes the database decides, by `writer`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID


@dataclass(frozen=True, slots=True, eq=False)
class WriteTurn:
    interrupted: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class WriteTurns:
    def __init__(self) -> None:
        self._current: dict[UUID, WriteTurn] = {}

    async def interrupt(self, upload_id: UUID) -> None:
        """Returns when the request that was writing has stored what it received."""
        while (current := self._current.get(upload_id)) is not None:
            current.interrupted.set()
            await current.ended.wait()

    @asynccontextmanager
    async def take(self, upload_id: UUID) -> AsyncIterator[WriteTurn]:
        await self.interrupt(upload_id)
        turn = self._current[upload_id] = WriteTurn()
        try:
            yield turn
        finally:
            del self._current[upload_id]
            turn.ended.set()
