"""Bodies that are still arriving when their response is complete: read and dropped up to a bound.

A client that only reads after it has sent everything (http.client, HttpURLConnection) would otherwise see a reset connection in
place of the response: closing a socket with unread bytes resets it.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.config import ApiSettings

MAX_DROPPED_BYTES = 256 * 1024 * 1024


class UnwantedBody:
    """What a client still sends after the response. It is over the bound when it is too much or too slow."""

    def __init__(self, limits: ApiSettings, now: float) -> None:
        self._limits = limits
        self._left = MAX_DROPPED_BYTES
        self._since = now
        self._in_period = 0

    def drop(self, size: int) -> None:
        self._left -= size
        self._in_period += size

    @property
    def is_too_much(self) -> bool:
        return self._left < 0

    def is_too_slow(self, now: float) -> bool:
        passed = now - self._since
        if passed < self._limits.body_timeout_s:
            return False
        is_slow = not self._in_period or self._in_period < self._limits.min_body_bytes_per_s * passed
        self._since, self._in_period = now, 0
        return is_slow


class ResponseTransport:
    """The connection as the response of one request uses it; the protocol decides when it is really closed.

    The head of a response waits for the first bytes of its body, until the loop comes round: written by themselves, both would
    cost a system call and wake the client.
    """

    __slots__ = ("_close", "_head", "_is_begun", "_loop", "_transport", "is_closing", "when_lost")

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        close: Callable[[], None],
        when_lost: set[Callable[[], None]],
    ) -> None:
        self._transport = transport
        self._loop = loop
        self._close = close
        self.when_lost = when_lost
        """Called when the connection is lost."""
        self.is_closing = transport.is_closing
        self._head: bytes | None = None
        self._is_begun = False

    def write(self, data: bytes) -> None:
        if self._head is not None:
            head, self._head = self._head, None
            self._transport.writelines((head, data))
        elif self._is_begun:
            self._transport.write(data)
        else:
            self._is_begun, self._head = True, data
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        if self._head is not None:
            head, self._head = self._head, None
            if not self.is_closing():
                self._transport.write(head)

    def close(self) -> None:
        self.flush()
        self._close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class ClosesUnsentBody:
    """Ends the connection after a response to `Expect: 100-continue` that refuses the body.

    The client may send its next request or the body all the same, and the server cannot tell one from the other.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _expects_continue(scope):
            await self._app(scope, receive, send)
            return
        was_requested = False

        async def receive_body() -> Message:
            nonlocal was_requested
            was_requested = True
            return await receive()

        async def send_closing(message: Message) -> None:
            if message["type"] == "http.response.start" and not was_requested:
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
            await send(message)

        await self._app(scope, receive_body, send_closing)


def _expects_continue(scope: Scope) -> bool:
    # A list is made faster than a generator is run, and every request comes by here.
    return b"100-continue" in [value.lower() for name, value in scope["headers"] if name == b"expect"]
