"""A loopback proxy that breaks connections on request."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class CuttingProxy:
    def __init__(self, upstream_port: int) -> None:
        self._upstream_port = upstream_port
        self.port = 0
        self.cut_after: list[int] = []
        """For the next connections, after how many response bytes each is broken; empty: never."""
        self.connections = 0
        self._serving: set[asyncio.Task[None]] = set()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def end(self) -> None:
        """Closes all connections, so that none outlives the proxy."""
        serving = list(self._serving)
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        limit = self.cut_after.pop(0) if self.cut_after else None
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._upstream_port)
        except OSError:  # the server is gone, and so is the connection of its client
            writer.transport.abort()
            return
        asking = asyncio.create_task(_carry(reader, far_writer, None))
        try:
            await _carry(far_reader, writer, limit)
        finally:
            asking.cancel()
            for one in (writer, far_writer):
                one.transport.abort()
            await asyncio.gather(asking, writer.wait_closed(), far_writer.wait_closed(), return_exceptions=True)


async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter, limit: int | None) -> None:
    carried = 0
    try:
        while (limit is None or carried < limit) and (data := await source.read(65536)):
            target.write(data if limit is None else data[: limit - carried])
            await target.drain()
            carried += len(data)
    except ConnectionError:
        return


@asynccontextmanager
async def cutting_proxy(upstream_port: int) -> AsyncIterator[CuttingProxy]:
    proxy = CuttingProxy(upstream_port)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.end()
