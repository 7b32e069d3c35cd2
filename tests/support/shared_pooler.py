"""A pooler in transaction mode with fewer server connections than clients, as a fleet runs behind one.

A client gets a server when it begins to speak, and keeps it until the server says that it is idle and nothing more is under way.
Clients that find no free server wait. What breaks off in the middle of a transaction takes its server along, so the transaction is
rolled back. Requests to cancel reach the server that runs the client's statement at that moment, or nobody.
"""

import asyncio
import itertools
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from support.transaction_pooler import Login, Server, connect_server, message, read_message

CANCEL = 80877102
ENDS_A_ROUND = (b"Q", b"S", b"F")
"""Messages of a client that the server answers with ReadyForQuery."""
_BROKEN = (asyncio.IncompleteReadError, ConnectionError, OSError)


class SharedPooler:
    def __init__(self, url: str, *, servers: int) -> None:
        self._login = Login.of(url)
        self._free: list[Server] = []
        self._may_open = asyncio.Semaphore(servers)
        self._numbers = itertools.count(1)
        self._clients: dict[int, _Client] = {}
        self._greeting = b""
        self._serving: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        """Of clients and servers that are open."""
        self.transactions = 0
        self.clients_at_once = 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Its address, while it runs."""
        await self.release(await self.acquire())
        listening = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        try:
            yield f"postgresql://{self._login.user}:any@127.0.0.1:{port}/{self._login.database}?sslmode=disable"
        finally:
            listening.close()
            await self._close_all()

    async def _close_all(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    async def acquire(self) -> Server:
        await self._may_open.acquire()
        try:
            while self._free:
                server = self._free.pop()
                if await _is_alive(server):
                    return server
                self._forget(server)
            server = await connect_server(self._login)
        except BaseException:
            self._may_open.release()
            raise
        self._writers.add(server.writer)
        self._greeting = _without_key(server.greeting)
        return server

    async def release(self, server: Server) -> None:
        self._free.append(server)
        self._may_open.release()

    def drop(self, server: Server) -> None:
        self._forget(server)
        self._may_open.release()

    def _forget(self, server: Server) -> None:
        server.writer.close()
        self._writers.discard(server.writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self._numbers)
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        self._writers.add(writer)
        try:
            (length,) = struct.unpack("!i", await reader.readexactly(4))
            start = await reader.readexactly(length - 4)
            if struct.unpack("!i", start[:4])[0] == CANCEL:
                await self._cancel(struct.unpack("!i", start[4:8])[0])
                return
            writer.write(self._greeting + message(b"K", struct.pack("!ii", number, 0)) + message(b"Z", b"I"))
            self._clients[number] = client = _Client(self, reader, writer)
            self.clients_at_once = max(self.clients_at_once, len(self._clients))
            await client.run()
        except _BROKEN:
            pass
        finally:
            self._clients.pop(number, None)
            self._serving.discard(task)
            self._writers.discard(writer)
            writer.close()

    async def _cancel(self, number: int) -> None:
        client = self._clients.get(number)
        server = None if client is None else client.server
        if server is not None:
            key = _key(server.greeting)
            with suppress(OSError):
                _, writer = await asyncio.open_unix_connection(self._login.socket)
                writer.write(struct.pack("!ii", 16, CANCEL) + key)
                await writer.drain()
                writer.close()


class _Client:
    def __init__(self, pooler: SharedPooler, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._pooler = pooler
        self._reader = reader
        self._writer = writer
        self.server: Server | None = None
        self._rounds = 0
        self._is_open_round = False
        self._answers: asyncio.Task[None] | None = None

    async def run(self) -> None:
        try:
            while True:
                kind, body = await read_message(self._reader)
                if kind == b"X":
                    return
                if self.server is None:
                    self.server = await self._pooler.acquire()
                    self._answers = asyncio.create_task(self._pump(self.server))
                ends = kind in ENDS_A_ROUND
                self._rounds += ends
                self._is_open_round = not ends
                self.server.writer.write(message(kind, body))
        finally:
            if self._answers is not None:
                self._answers.cancel()
            if self.server is not None:
                self._pooler.drop(self.server)
                self.server = None

    async def _pump(self, server: Server) -> None:
        """Passes on what the server says until it is free again."""
        try:
            while True:
                kind, body = await read_message(server.reader)
                self._writer.write(message(kind, body))
                if kind != b"Z":
                    continue
                self._rounds -= 1
                if body == b"I" and self._rounds == 0 and not self._is_open_round:
                    break
        except _BROKEN:
            self._writer.close()  # its client finds out; the server is dropped there
            return
        self._pooler.transactions += 1
        self.server = None
        await self._pooler.release(server)


async def _is_alive(server: Server) -> bool:
    """Whether a server that nobody uses has said nothing; it speaks only to say that it ends."""
    try:
        async with asyncio.timeout(0):
            await server.reader.read(1)
    except TimeoutError:
        return True
    except OSError:
        pass
    return False


def _messages(stream: bytes) -> list[tuple[bytes, bytes]]:
    found = []
    while stream:
        (length,) = struct.unpack("!i", stream[1:5])
        found.append((stream[:1], stream[5 : length + 1]))
        stream = stream[length + 1 :]
    return found


def _without_key(greeting: bytes) -> bytes:
    return b"".join(message(kind, body) for kind, body in _messages(greeting) if kind not in (b"K", b"Z"))


def _key(greeting: bytes) -> bytes:
    return next(body for kind, body in _messages(greeting) if kind == b"K")
