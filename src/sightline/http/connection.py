"""One connection to an HTTP/1.1 server: a request, its whole response, and then perhaps another request."""

import asyncio
from typing import cast

import httptools

from sightline.http.response import HttpResponse, ResponseTooLarge

# One byte of a body may come as a chunk of its own, "1\r\nx\r\n".
MAX_FRAMING_PER_BODY_BYTE = 8


class NoResponse(EOFError):
    """The connection was closed without a byte of a response."""


class OutgoingConnection(asyncio.Protocol):
    """`part` names the callee in errors."""

    def __init__(self, *, part: str, max_body_bytes: int, max_header_bytes: int) -> None:
        self._part = part
        self._max_body_bytes = max_body_bytes
        self._max_header_bytes = max_header_bytes
        self._exchange: _Exchange | None = None
        self.used_at = 0.0
        """When the last request was sent, on the clock of the event loop."""

    async def exchange(self, request: bytes) -> HttpResponse:
        """Raises `NoResponse` or another `EOFError` if the connection ends before the response does, `ResponseTooLarge` beyond a
        limit."""
        loop = asyncio.get_running_loop()
        self.used_at = loop.time()
        exchange = self._exchange = _Exchange(loop.create_future())
        # Not drained: a server may reject a large request before it has read all of it.
        self._transport.write(request)
        try:
            await exchange.done
        finally:
            self._exchange = None
        return exchange.response

    @property
    def is_open(self) -> bool:
        return not self._transport.is_closing()

    @property
    def has_sent_all(self) -> bool:
        return self._transport.get_write_buffer_size() == 0

    def close(self) -> None:
        self._transport.close()

    # The names of these are those that asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        exchange = self._exchange
        if exchange is None or exchange.done.done():
            self._transport.close()  # nothing was asked for, so it must not be taken for the response to the next request
            return
        try:
            exchange.parser.feed_data(data)
        except httptools.HttpParserError as error:
            if exchange.response.is_complete:  # what follows it belongs to no request
                exchange.succeed(is_keep_alive=False)
            else:
                exchange.fail(error)
            return
        exchange.received_bytes += len(data)
        body_bytes = len(exchange.response.body)
        # What is not body is headers, trailers or framing; a line that never ends is among it.
        overhead_bytes = exchange.received_bytes - body_bytes
        if body_bytes > self._max_body_bytes:
            reason = f"the body of the response is larger than {self._max_body_bytes} bytes"
            exchange.fail(ResponseTooLarge(self._part, reason))
        elif overhead_bytes > self._max_header_bytes + MAX_FRAMING_PER_BODY_BYTE * body_bytes:
            reason = f"the headers of the response are larger than {self._max_header_bytes} bytes"
            exchange.fail(ResponseTooLarge(self._part, reason))
        elif exchange.response.is_complete:
            exchange.succeed(is_keep_alive=exchange.response.allows_another(exchange.parser.get_http_version()))

    def eof_received(self) -> None:
        if self._exchange is not None and self._exchange.response.ends_with_connection:
            self._exchange.succeed(is_keep_alive=False)

    def connection_lost(self, error: Exception | None) -> None:
        if (exchange := self._exchange) is None:
            return
        if not exchange.received_bytes:
            exchange.fail(NoResponse(str(error or "") or "the connection was closed without a response"))
        else:
            exchange.fail(error or EOFError("the connection was closed before the response was complete"))


class _Exchange:
    def __init__(self, done: asyncio.Future[None]) -> None:
        self.done = done
        self.response = HttpResponse()
        self.parser = httptools.HttpResponseParser(self.response)
        self.received_bytes = 0

    def succeed(self, *, is_keep_alive: bool) -> None:
        self.response.status = self.parser.get_status_code()
        self.response.is_keep_alive = is_keep_alive
        if not self.done.done():
            self.done.set_result(None)

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)
