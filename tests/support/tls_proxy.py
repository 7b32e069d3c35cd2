"""A proxy that ends TLS, as it stands before a platform that people reach from outside."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path


class TlsProxy:
    """Passes bytes on to `target` once it is set."""

    def __init__(self, certificate: Path) -> None:
        self.target: tuple[str, int] | None = None
        self.port = 0
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._tls.load_cert_chain(certificate)

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert self.target is not None
        inner_reader, inner_writer = await asyncio.open_connection(*self.target)
        try:
            await asyncio.gather(_pump(reader, inner_writer), _pump(inner_reader, writer))
        finally:
            inner_writer.close()
            writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, ssl.SSLError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def tls_proxy(certificate: Path) -> AsyncIterator[TlsProxy]:
    proxy = TlsProxy(certificate)
    server = await proxy.start()
    try:
        yield proxy
    finally:
        server.close()
