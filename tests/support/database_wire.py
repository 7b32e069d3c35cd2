"""A wire to the database that a test cuts and mends."""

import asyncio
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit


class DatabaseWire:
    """A wire to the database that can be cut and mended."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._socket = parse_qs(parts.query)["host"][0] + "/.s.PGSQL.5432"
        self._login = f"{parts.username}:{parts.password}"
        self._database = parts.path
        self._ends: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._port = 0

    @property
    def url(self) -> str:
        return f"postgresql://{self._login}@127.0.0.1:{self._port}{self._database}?sslmode=disable"

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        if self._server is not None:
            self._server.close()
        for end in self._ends:
            end.close()
        if self._carrying:
            await asyncio.wait(self._carrying)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._socket)
        self._ends |= {writer, far_writer}
        for source, target in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(_carry(source, target))
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)


async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65536):
            target.write(data)
    target.close()
