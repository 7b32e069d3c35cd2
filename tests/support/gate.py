"""A gate before an HTTP server: passes requests on, or does with them what a test says."""

import asyncio
from collections.abc import Callable
from typing import Literal

Action = Literal["pass", "hang", "pass and hang", "drop"] | tuple[int, bytes] | tuple[Literal["pass"], int, bytes]
"""A tuple answers in the server's place; with "pass", after the server got the request."""


class Gate:
    """Counts what it sees; `decide` is asked for each request with its head and body."""

    def __init__(self, upstream_port: int) -> None:
        self._upstream_port = upstream_port
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.seen: list[str] = []
        self.hanging = asyncio.Event()
        self.decide: Callable[[str, bytes], Action] = lambda head, body: "pass"

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def open(self) -> None:
        """On the same port each time."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            for writer in tuple(self._open):
                writer.transport.abort()
            await self._server.wait_closed()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            head, body = await _read(reader, writer)
            self.seen.append(head)
            match self.decide(head, body):
                case (status, answer):
                    writer.write(_response(status, answer))
                case ("pass", status, answer):
                    await self._pass(head, body)
                    writer.write(_response(status, answer))
                case "pass":
                    writer.write(await self._pass(head, body))
                case "pass and hang":
                    await self._pass(head, body)
                    await self._hang(reader)
                case "hang":
                    await self._hang(reader)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            self._open.discard(writer)
            writer.close()

    async def _hang(self, reader: asyncio.StreamReader) -> None:
        self.hanging.set()
        await reader.read()  # until the other side is gone

    async def _pass(self, head: str, body: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._upstream_port)
        lines = [line for line in head.split("\r\n") if not line.lower().startswith(("connection:", "expect:"))]
        writer.write("\r\n".join([lines[0], "Connection: close", *lines[1:]]).encode("latin-1") + b"\r\n\r\n" + body)
        try:
            return await reader.read()
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip("\r\n")
    if "\r\nexpect: 100-continue" in head.lower():
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    lengths = [line.partition(":")[2] for line in head.split("\r\n") if line.lower().startswith("content-length:")]
    return head, await reader.readexactly(int(lengths[0]) if lengths else 0)


def _response(status: int, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} Said\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: {len(body)}\r\n"
    return (head + "Connection: close\r\n\r\n").encode() + body
