"""HTTP responses as httptools reads them."""

import json
from dataclasses import dataclass, field
from typing import Any

from sightline.errors import BackendUnavailable


class ResponseTooLarge(BackendUnavailable):
    """The headers or the body of a response exceed their limit."""


class Surplus(ValueError):
    """More than one response came for a request; makes the parser stop."""


@dataclass(slots=True)
class HttpResponse:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    """Names are in lower case."""
    body: bytearray = field(default_factory=bytearray)
    has_headers: bool = False
    is_complete: bool = False
    is_keep_alive: bool = False
    """Whether the connection can take another request."""

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

    def allows_another(self, http_version: str) -> bool:
        """Whether the connection can take another request after this complete response. The parser knows it only until then."""
        options = self.headers.get("connection", "").lower()
        return "close" not in options if http_version == "1.1" else "keep-alive" in options

    # The names of these are those that httptools calls.

    def on_message_begin(self) -> None:
        if self.is_complete:
            raise Surplus("the server went on after the end of the response")

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.has_headers = True

    def on_body(self, part: bytes) -> None:
        self.body += part

    def on_message_complete(self) -> None:
        self.is_complete = True
