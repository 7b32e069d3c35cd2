"""Direct calls: whole requests that are answered in one piece, without the framework.

Calls of AWS SDKs are small and come by the thousand each second. Passing a request on in pieces, and its response back in pieces,
costs the server more than such a call itself.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.server import ServerState

from sightline.api.live.transport import StopSignal

MAX_LENGTH_DIGITS = 9


class DirectRequest(NamedTuple):
    service: str
    """What `DirectCalls.service_of` said."""
    method: str
    url: bytes
    headers: Mapping[bytes, bytes]
    """By lower-case name; a request that repeats one is not direct."""
    body: bytes
    scheme: str
    stopping: StopSignal
    when_lost: set[Callable[[], None]]
    """Called when the client goes away."""
    is_closing: Callable[[], bool]


class DirectResponse(NamedTuple):
    head: bytes
    """Status line and headers, each with the end of its line."""
    body: bytes


class DirectCalls(Protocol):
    """An application that takes some requests directly."""

    max_body_bytes: int

    def service_of(self, headers: Mapping[bytes, bytes]) -> str | None:
        """A name for what will answer the request; None: it goes through the framework."""

    async def respond(self, request: DirectRequest) -> DirectResponse: ...


class DirectCycle:
    """A direct request and its response. It stands where uvicorn has its own cycle, and has what the server reads of that one."""

    __slots__ = ("body", "disconnected", "headers", "keep_alive", "response_complete", "service", "url")

    waiting_for_100_continue = False
    response_started = False  # it starts and ends at once

    def __init__(self, service: str, url: bytes, headers: Mapping[bytes, bytes], *, keep_alive: bool) -> None:
        self.service = service
        self.url = url
        self.headers = headers
        self.keep_alive = keep_alive
        self.body = b""
        self.disconnected = False
        self.response_complete = False

    @property
    def message_event(self) -> "DirectCycle":
        """Nothing waits for parts of a direct request, so there is no event to set."""
        return self

    def set(self) -> None: ...


class ServedConnection(Protocol):
    """What the server's side of a connection offers to answer calls with."""

    loop: asyncio.AbstractEventLoop
    tasks: set[asyncio.Task[None]]
    transport: asyncio.Transport
    flow: FlowControl
    scheme: Any
    server_state: ServerState
    stopping: StopSignal
    when_lost: set[Callable[[], None]]

    def complete_direct(self, cycle: DirectCycle) -> None: ...


class DirectAnswers:
    """Answers the direct calls of a connection one after the other, in one task: a task for each costs as much as reading it."""

    def __init__(self, calls: DirectCalls, connection: ServedConnection) -> None:
        self._calls = calls
        self._connection = connection
        self._task: asyncio.Task[None] | None = None
        self._next: asyncio.Future[DirectCycle | None] | None = None
        self._usual_headers: object = None
        self._usual_lines = b""

    def start(self, cycle: DirectCycle) -> None:
        if self._next is not None and not self._next.done():
            self._next.set_result(cycle)
            return
        connection = self._connection
        self._task = connection.loop.create_task(self._answer(cycle))
        connection.tasks.add(self._task)
        self._task.add_done_callback(connection.tasks.discard)

    def end(self) -> None:
        """The connection is lost: no further call will come."""
        if self._next is not None and not self._next.done():
            self._next.set_result(None)

    async def _answer(self, cycle: DirectCycle | None) -> None:
        while cycle is not None:
            await self._respond(cycle)
            if self._connection.transport.is_closing():
                return
            self._next = self._connection.loop.create_future()
            cycle = await self._next

    async def _respond(self, cycle: DirectCycle) -> None:
        connection = self._connection
        request = DirectRequest(
            cycle.service,
            "POST",
            cycle.url,
            cycle.headers,
            cycle.body,
            connection.scheme,
            connection.stopping,
            connection.when_lost,
            connection.transport.is_closing,
        )
        try:
            response = await self._calls.respond(request)
            if connection.flow.write_paused and not cycle.disconnected:
                await connection.flow.drain()
        except BaseException:  # `respond` turns every error into a response, so the server is being ended
            connection.transport.close()
            raise
        if not cycle.disconnected:
            closing = b"" if cycle.keep_alive else b"connection: close\r\n"
            connection.transport.write(b"".join((response.head, self._lines(), closing, b"\r\n", response.body)))
            connection.complete_direct(cycle)

    def _lines(self) -> bytes:
        """The headers of every response. The server makes a new list of them each second, for the date."""
        headers = self._connection.server_state.default_headers
        if headers is not self._usual_headers:
            self._usual_headers = headers
            self._usual_lines = b"".join([b"%b: %b\r\n" % header for header in headers])
        return self._usual_lines


def has_short_body(headers: Mapping[bytes, bytes], limit: int) -> bool:
    """Whether the length of the body is declared and within the limit."""
    length = headers.get(b"content-length", b"")
    is_number = length.isdigit() and len(length) <= MAX_LENGTH_DIGITS
    return is_number and int(length) <= limit and b"transfer-encoding" not in headers
