"""Another HTTP service on this machine, whose responses the test chooses."""

import asyncio
import json


class LocalHttp:
    """Another service on this machine: remembers what it was asked, answers what the test says."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.bodies: list[bytes] = []
        self.heads: list[str] = []
        self.status = 200
        self.answer: object = {}
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self._server: asyncio.Server | None = None
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    def stop(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, path, _ = head.split(" ", 2)
            lengths = [line.split(":")[1] for line in head.splitlines() if line.lower().startswith("content-length:")]
            self.bodies.append(await reader.readexactly(int(lengths[0]) if lengths else 0))
            self.heads.append(head)
            self.asked.append((method, path))
            await self.may_answer.wait()
            body = self.answer if isinstance(self.answer, bytes) else json.dumps(self.answer).encode()
            writer.write(b"HTTP/1.1 %d X\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % (self.status, len(body)))
            writer.write(body)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
