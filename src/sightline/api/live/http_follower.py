"""Following the live feed over plain HTTP: what goes to one request, as the hub sees it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.types import Receive

from sightline.access import OpenConnection
from sightline.live import Frames

RESTARTS = 1012


class HttpConnection:
    """Keeps what the hub says until the request's own task takes it. Nothing here waits for the client."""

    def __init__(self, transport: asyncio.Transport | None = None) -> None:
        self.end: tuple[int, str] | None = None
        """Code and reason, as a WebSocket would be closed with."""
        self._transport = transport
        self._payloads: list[bytes] = []
        self._pending = 0
        self._stir = asyncio.Event()

    def send(self, frames: Frames) -> bool:
        if self.end is not None:
            return False
        self._payloads += frames.payloads
        self._pending += sum(map(len, frames.payloads))
        self._stir.set()
        return True

    def pending_bytes(self) -> int:
        return self._pending

    def close(self, code: int, reason: str) -> None:
        if self.end is None:
            self.end = (code, reason)
        self._stir.set()

    def kick(self, code: int, reason: str) -> None:
        self._payloads.clear()
        self.close(code, reason)
        if self._transport is not None:
            self._transport.abort()

    async def take(self) -> list[bytes]:
        """What came, as soon as there is something; nothing when it is over."""
        while not self._payloads and self.end is None:
            self._stir.clear()
            await self._stir.wait()
        taken, self._payloads = self._payloads, []
        self._pending = 0
        return taken


@asynccontextmanager
async def ending_with(connection: OpenConnection, receive: Receive, stopping: asyncio.Event) -> AsyncIterator[None]:
    """While the block runs, the connection ends with the client or with the server, whichever goes first."""
    watching = asyncio.create_task(_watch(connection, receive, stopping))
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _watch(connection: OpenConnection, receive: Receive, stopping: asyncio.Event) -> None:
    ends = (asyncio.create_task(until_gone(receive)), asyncio.create_task(stopping.wait()))
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in ends:
            task.cancel()
    connection.close(RESTARTS, "the server restarts" if stopping.is_set() else "the client left")


async def until_gone(receive: Receive) -> None:
    """Returns when the client of a request has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
