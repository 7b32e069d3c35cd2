"""HTTP/1.1 client for outgoing calls: pooled connections, checked certificates, pinned addresses, no redirects.

A notification is one small request to one of few hosts, hundreds a second. A general client spends two milliseconds of CPU on
each, which was most of what a message cost. Responses are parsed by httptools, as the API's own requests are.
"""

import asyncio
import ssl
from collections import defaultdict
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import cache
from typing import NamedTuple
from urllib.parse import urlsplit

import httptools

from sightline.errors import BackendUnavailable
from sightline.http.connection import NoResponse, OutgoingConnection
from sightline.http.request import write_request
from sightline.http.response import HttpResponse, ResponseTooLarge

__all__ = ["HttpClient", "HttpResponse", "ResponseTooLarge"]

MAX_BODY_BYTES = 4 * 1024 * 1024
MAX_HEADER_BYTES = 64 * 1024
MAX_IDLE_PER_TARGET = 100
IDLE_S = 30.0
"""An idle connection is closed after this time to twice this time. Many servers close theirs after a minute."""


class ConnectionTarget(NamedTuple):
    """Connections to the same target are interchangeable."""

    scheme: str
    address: str
    port: int
    host: str
    """The name that the certificate must have."""


class HttpClient:
    """Call `close` at the end. A failed connection, a broken response and the end of `timeout_s` are `BackendUnavailable`."""

    def __init__(
        self,
        part: str = "http",
        *,
        tls: ssl.SSLContext | None = None,
        timeout_s: float | None = None,
        max_body_bytes: int = MAX_BODY_BYTES,
        max_header_bytes: int = MAX_HEADER_BYTES,
    ) -> None:
        """`part` names the callee in errors. `timeout_s` limits a whole call; without it the caller limits the time."""
        self._part = part
        self._tls = tls
        self._timeout_s = timeout_s
        self._max_body_bytes = max_body_bytes
        self._max_header_bytes = max_header_bytes
        self._idle: dict[ConnectionTarget, list[OutgoingConnection]] = defaultdict(list)
        self._idle_check: asyncio.TimerHandle | None = None

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        content: bytes = b"",
        connect_to: str | None = None,
    ) -> HttpResponse:
        """`connect_to` is the IP address to use for the host; the certificate must be the host's all the same."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        target = ConnectionTarget(parts.scheme, connect_to or host, port, host)
        request = write_request(method, parts, headers, content)
        origin = f"{parts.scheme}://{host}:{port}"
        try:
            async with self._time_limit():
                return await self._exchange(target, request)
        except TimeoutError as error:
            limit = "in time" if self._timeout_s is None else f"within {self._timeout_s:g} s"
            raise BackendUnavailable(self._part, f"{origin} did not respond {limit}") from error
        except (OSError, EOFError, httptools.HttpParserError) as error:
            reason = str(error) or type(error).__name__
            raise BackendUnavailable(self._part, f"{origin} cannot be reached: {reason}") from error

    def close(self) -> None:
        if self._idle_check is not None:
            self._idle_check.cancel()
            self._idle_check = None
        for connections in self._idle.values():
            for connection in connections:
                connection.close()
        self._idle.clear()

    def _time_limit(self) -> AbstractAsyncContextManager[object]:
        return nullcontext() if self._timeout_s is None else asyncio.timeout(self._timeout_s)

    async def _exchange(self, target: ConnectionTarget, request: bytes) -> HttpResponse:
        if (kept := self._idle_connection(target)) is not None:
            try:
                return await self._exchange_on(kept, target, request)
            except NoResponse:
                pass  # the server closed it at the moment of the request
        return await self._exchange_on(await self._connect(target), target, request)

    async def _exchange_on(
        self, connection: OutgoingConnection, target: ConnectionTarget, request: bytes
    ) -> HttpResponse:
        is_reusable = False
        try:
            response = await connection.exchange(request)
            is_reusable = response.is_keep_alive and connection.has_sent_all
        finally:
            if is_reusable and len(self._idle[target]) < MAX_IDLE_PER_TARGET:
                self._keep(target, connection)
            else:
                connection.close()
        return response

    async def _connect(self, target: ConnectionTarget) -> OutgoingConnection:
        context = (self._tls or _default_tls()) if target.scheme == "https" else None
        _, connection = await asyncio.get_running_loop().create_connection(
            lambda: OutgoingConnection(
                part=self._part, max_body_bytes=self._max_body_bytes, max_header_bytes=self._max_header_bytes
            ),
            target.address,
            target.port,
            ssl=context,
            server_hostname=target.host if context is not None else None,
        )
        return connection

    def _idle_connection(self, target: ConnectionTarget) -> OutgoingConnection | None:
        """The one used last, which is the least likely to have been closed by the server."""
        idle = self._idle[target]
        while idle:
            if (connection := idle.pop()).is_open:
                return connection
        return None

    def _keep(self, target: ConnectionTarget, connection: OutgoingConnection) -> None:
        self._idle[target].append(connection)
        if self._idle_check is None:
            self._check_idle_later()

    def _check_idle_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._idle_check = loop.call_later(IDLE_S, self._close_idle, loop.time())

    def _close_idle(self, since: float) -> None:
        """Closes those on which nothing was sent since then."""
        self._idle_check = None
        for target, connections in list(self._idle.items()):
            for connection in [one for one in connections if one.used_at <= since]:
                connections.remove(connection)
                connection.close()
            if not connections:
                del self._idle[target]
        if self._idle:
            self._check_idle_later()


@cache
def _default_tls() -> ssl.SSLContext:
    """Loaded once: it holds every certificate that the system trusts."""
    return ssl.create_default_context()
