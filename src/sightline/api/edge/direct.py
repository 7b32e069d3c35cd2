"""Direct calls: whole requests that are answered in one piece, without the framework.

Calls of AWS SDKs are small and come by the thousand each second. Passing a request on in pieces, and its response back in pieces,
costs the server more than such a call itself.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

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


def has_short_body(headers: Mapping[bytes, bytes], limit: int) -> bool:
    """Whether the length of the body is declared and within the limit."""
    length = headers.get(b"content-length", b"")
    is_number = length.isdigit() and len(length) <= MAX_LENGTH_DIGITS
    return is_number and int(length) <= limit and b"transfer-encoding" not in headers
