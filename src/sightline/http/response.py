"""HTTP responses, read within limits of size."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import httptools

from sightline.errors import BackendUnavailable

READ_BYTES = 65536
# One byte of a body may come as a chunk of its own, "1\r\nx\r\n".
MAX_FRAMING_PER_BODY_BYTE = 8


class ResponseTooLarge(BackendUnavailable):
    """The headers or the body of a response exceed their limit."""


@dataclass(slots=True)
class HttpResponse:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    """Names are in lower case."""
    body: bytearray = field(default_factory=bytearray)
    has_headers: bool = False
    is_complete: bool = False
    is_keep_alive: bool = False

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """Raises `ValueError` or `RecursionError` if the body is not JSON."""
        return json.loads(self.body)

    @property
    def ends_with_connection(self) -> bool:
        """Whether the body has neither a length nor chunks, so that the end of the connection is its end."""
        return (
            self.has_headers
            and "content-length" not in self.headers
            and "chunked" not in self.headers.get("transfer-encoding", "").lower()
        )

    # The names of these are those that httptools calls.

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.has_headers = True

    def on_body(self, part: bytes) -> None:
        self.body += part

    def on_message_complete(self) -> None:
        self.is_complete = True


async def read_response(
    reader: asyncio.StreamReader, *, part: str, max_body_bytes: int, max_header_bytes: int
) -> HttpResponse:
    """Raises `EOFError` if the connection ends before the response does, `ResponseTooLarge` beyond a limit."""
    response = HttpResponse()
    parser = httptools.HttpResponseParser(response)
    received_bytes = 0
    while not response.is_complete:
        data = await reader.read(READ_BYTES)
        if not data:
            if not response.ends_with_connection:
                raise EOFError("the connection was closed before the response was complete")
            response.is_complete = True
            response.status = parser.get_status_code()
            return response
        received_bytes += len(data)
        parser.feed_data(data)
        if len(response.body) > max_body_bytes:
            raise ResponseTooLarge(part, f"the body of the response is larger than {max_body_bytes} bytes")
        # What is not body is headers, trailers or framing; a line that never ends is among it.
        overhead_bytes = received_bytes - len(response.body)
        if overhead_bytes > max_header_bytes + MAX_FRAMING_PER_BODY_BYTE * len(response.body):
            raise ResponseTooLarge(part, f"the headers of the response are larger than {max_header_bytes} bytes")
    response.status = parser.get_status_code()
    response.is_keep_alive = parser.should_keep_alive()
    return response
