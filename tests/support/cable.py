"""The line between clients and a server, on which a test holds requests up, and which it cuts and mends."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from support.waiting import until

_PIECE = 64 * 1024


class Cable:
    def __init__(self) -> None:
        self.port = 0
        self.leads_to = 0
        """The port of the server; may be set after the cable is laid."""
        self.is_cut = False
        self.is_broken = False
        self._left: int | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self._holding: set[str] = set()
        self._held: dict[str, asyncio.Future[None]] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # Breaking ----------------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """Every connection ends, and no new one comes about until the cable is mended."""
        self.is_cut = True
        self._break()

    def break_after(self, size: int) -> None:
        """When so many bytes more have got to the server every connection ends, once; new ones come about."""
        self.is_broken = False
        self._left = size

    def mend(self) -> None:
        """Carries everything again."""
        self._left = None
        self.is_cut = False
        self.forget()

    def _break(self) -> None:
        self.is_broken = True
        for end in self._ends:
            end.transport.abort()

    # Holding up --------------------------------------------------------------------------------------------------

    def hold(self, *requests: str) -> None:
        """Requests whose first line matches one of these patterns are kept from the server."""
        self._holding |= set(requests)

    async def held(self, *requests: str) -> None:
        """Waits until all these have come."""
        await until(lambda: self._held.keys() >= set(requests))

    def let_go(self, *requests: str) -> None:
        self._holding -= set(requests)
        for request in requests:
            self._held.pop(request).set_result(None)

    def forget(self) -> None:
        """Those held, which their clients have given up, never get to the server; the next ones do."""
        self._holding.clear()
        self._held.clear()

    # Carrying ----------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def laid(self) -> AsyncIterator["Cable"]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()
            await asyncio.gather(*self._serving)
            await server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.leads_to)
        except OSError:  # the server is gone, and so is the connection of its client
            writer.transport.abort()
            return
        ends = {writer, back}
        self._ends |= ends
        ways = [asyncio.create_task(self._to_server(reader, back)), asyncio.create_task(self._to_client(there, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)
        self._ends -= ends
        for end in ends:
            end.close()

    async def _to_server(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(_PIECE):
                await self._wait_if_held(piece)
                if self._left is not None:
                    self._left -= len(piece)
                    if self._left < 0:
                        self._left = None
                        self._break()
                        return
                writer.write(piece)
                await writer.drain()

    async def _to_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(_PIECE):
                writer.write(piece)
                await writer.drain()

    async def _wait_if_held(self, piece: bytes) -> None:
        """Clients send a request after the answer to the last one, so that it begins a piece."""
        first_line = piece.partition(b"\r\n")[0].decode("latin-1")
        for request in self._holding:
            if re.match(request, first_line):
                self._held[request] = asyncio.get_running_loop().create_future()
                await self._held[request]
                return
