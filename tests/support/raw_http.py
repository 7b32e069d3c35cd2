"""HTTP by bytes, for requests that no client library would send."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from support.waiting import soon


@dataclass(frozen=True)
class RawAnswer:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class RawClient:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await soon(self._writer.drain())

    async def answer(self) -> RawAnswer:
        """The next answer, whose length must be told."""
        head = (await soon(self._reader.readuntil(b"\r\n\r\n"))).decode("latin-1")
        line, *fields = head.rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        body = await soon(self._reader.readexactly(int(headers.get("content-length", "0"))))
        return RawAnswer(int(line.split()[1]), headers, body)

    async def head(self) -> bytes:
        return await soon(self._reader.readuntil(b"\r\n\r\n"))

    async def rest(self) -> bytes:
        """Everything until the server closes the connection."""
        try:
            return await soon(self._reader.read())
        except ConnectionResetError:
            return b""

    @property
    def is_closed(self) -> bool:
        """Whether the server has ended the connection."""
        return self._reader.at_eof() or self._reader.exception() is not None

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def raw_client(port: int, first: bytes = b"") -> AsyncIterator[RawClient]:
    client = RawClient(*await asyncio.open_connection("127.0.0.1", port))
    try:
        if first:
            await client.send(first)
        yield client
    finally:
        client.close()


def request(method: str = "GET", path: str = "/api/health", *headers: str, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", *headers]
    if body:
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body
