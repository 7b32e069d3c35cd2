"""A small HTTP/1.1 client for push channels: kept connections, certificates checked, addresses pinned, nothing followed.

A notification is one small request to one of few hosts, hundreds a second. A general client spends two milliseconds of CPU on
each, which was most of what a message cost. Answers are parsed by httptools, as the API's own requests are.
"""

import asyncio
import ssl
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import SplitResult, urlsplit

import httptools

from sightline.errors import BackendUnavailable

LARGEST_ANSWER = 4 * 1024 * 1024
KEPT_PER_PLACE = 100
_FORBIDDEN = ("\r", "\n", "\0")

Place = tuple[str, str, int, str]
"""Scheme, address to connect to, port, and the name that the certificate has to have."""


@dataclass(slots=True)
class HttpAnswer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    is_complete: bool = False
    may_keep: bool = False

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    # What httptools calls, by its names.

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, part: bytes) -> None:
        self.body += part

    def on_message_complete(self) -> None:
        self.is_complete = True


class HttpClient:
    """`close` it at the end. What goes wrong on the way is `BackendUnavailable`; how long to wait is the caller's to say."""

    def __init__(self, part: str = "http", *, tls: ssl.SSLContext | None = None) -> None:
        self._part = part
        self._tls = tls
        self._idle: dict[Place, list[_Connection]] = defaultdict(list)

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        content: bytes = b"",
        connect_to: str | None = None,
    ) -> HttpAnswer:
        """`connect_to` is an IP address that stands for the host's name."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        place = (parts.scheme, connect_to or host, port, host)
        request = _written(method, parts, headers, content)
        try:
            connection = self._kept(place) or await _connect(place, self._tls)
            is_reusable = False
            try:
                answer = await connection.ask(request)
                is_reusable = answer.may_keep
            finally:
                if is_reusable and len(self._idle[place]) < KEPT_PER_PLACE:
                    self._idle[place].append(connection)
                else:
                    connection.close()
        except (OSError, EOFError, ssl.SSLError, httptools.HttpParserError) as error:
            raise BackendUnavailable(
                self._part, f"{parts.scheme}://{host}:{port} does not answer: {str(error) or type(error).__name__}"
            ) from error
        return answer

    def close(self) -> None:
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()

    def _kept(self, place: Place) -> "_Connection | None":
        """The one used last, which is the least likely to have been closed by the other side."""
        idle = self._idle[place]
        while idle:
            if (connection := idle.pop()).is_open:
                return connection
            connection.close()
        return None


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @property
    def is_open(self) -> bool:
        return not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        self._writer.close()

    async def ask(self, request: bytes) -> HttpAnswer:
        self._writer.write(request)
        await self._writer.drain()
        answer = HttpAnswer()
        parser = httptools.HttpResponseParser(answer)
        while not answer.is_complete:
            data = await self._reader.read(65536)
            if not data:
                raise EOFError("the connection was closed before the answer was whole")
            parser.feed_data(data)
            if len(answer.body) > LARGEST_ANSWER:
                raise EOFError(f"the answer is larger than {LARGEST_ANSWER} bytes")
        answer.status = parser.get_status_code()
        answer.may_keep = parser.should_keep_alive()
        return answer


async def _connect(place: Place, trust: ssl.SSLContext | None) -> _Connection:
    scheme, address, port, name = place
    tls = (trust or _trust()) if scheme == "https" else None
    reader, writer = await asyncio.open_connection(
        address, port, ssl=tls, server_hostname=name if tls is not None else None
    )
    return _Connection(reader, writer)


@cache
def _trust() -> ssl.SSLContext:
    """Read once: it holds every certificate that the system trusts."""
    return ssl.create_default_context()


def _written(method: str, parts: SplitResult, headers: Mapping[str, str], content: bytes) -> bytes:
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port is not None else ""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}{port}", f"Content-Length: {len(content)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if any(mark in line for line in lines for mark in _FORBIDDEN):
        raise ValueError("a line of the request holds a line break")
    return "\r\n".join((*lines, "", "")).encode("ascii") + content
