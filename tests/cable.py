"""The line between clients and a server, which a test cuts in the middle of a transfer and mends again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

_PIECE = 64 * 1024


class Cable:
    def __init__(self) -> None:
        self.port = 0
        self.leads_to = 0
        """The port of the server; may be told after the cable is laid."""
        self.is_cut = asyncio.Event()
        self._left: int | None = None
        self._ends: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut_after(self, size: int) -> None:
        """So many bytes more get to the server; then every connection ends, and no new one comes about."""
        self._left = size

    def mend(self) -> None:
        self._left = None
        self.is_cut.clear()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator["Cable"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self._cut()
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut.is_set():
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.leads_to)
        ends = {writer, back}
        self._ends |= ends
        with suppress(ConnectionError):
            async with asyncio.TaskGroup() as both:
                both.create_task(self._carry(reader, back, is_counted=True))
                both.create_task(self._carry(there, writer, is_counted=False))
        self._ends -= ends
        for end in ends:
            end.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_counted: bool) -> None:
        with suppress(ConnectionError):
            while piece := await reader.read(_PIECE):
                if is_counted and self._left is not None:
                    if len(piece) >= self._left:
                        self._cut()
                        return
                    self._left -= len(piece)
                writer.write(piece)
                await writer.drain()
            writer.write_eof()

    def _cut(self) -> None:
        self.is_cut.set()
        for end in self._ends:
            end.transport.abort()
