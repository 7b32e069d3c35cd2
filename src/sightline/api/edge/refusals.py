"""Answers to connections that break a limit, as bytes: they are sent before there is a request to answer."""

import json
from dataclasses import dataclass
from http import HTTPStatus

RETRY_AFTER_S = 5


@dataclass(frozen=True, slots=True)
class Refusal:
    """`reason` is the label of the metric and the field of the log line."""

    reason: str
    status: int
    code: str
    message: str

    @property
    def answer(self) -> bytes:
        """A whole response, in the API's one form of errors."""
        body = json.dumps({"error": {"code": self.code, "message": self.message, "details": {}}}).encode()
        lines = [
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}",
            "content-type: application/json",
            f"content-length: {len(body)}",
            "connection: close",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
        ]
        if self.status in (429, 503):
            lines.append(f"retry-after: {RETRY_AFTER_S}")
        return "\r\n".join([*lines, "", ""]).encode() + body


INVALID = Refusal("invalid", 400, "VALIDATION_ERROR", "This is not a valid HTTP request")
LARGE_HEADERS = Refusal(
    "large_headers", 431, "REQUEST_HEADER_FIELDS_TOO_LARGE", "The request line and headers are too large. Send less"
)
MANY_HEADERS = Refusal(
    "many_headers", 431, "REQUEST_HEADER_FIELDS_TOO_LARGE", "The request has too many header fields. Send fewer"
)
SLOW_HEADERS = Refusal("slow_headers", 408, "REQUEST_TIMEOUT", "The headers took too long to arrive. Try again")
SLOW_BODY = Refusal("slow_body", 408, "REQUEST_TIMEOUT", "The body arrives too slowly. Try again, in smaller parts")
TOO_MANY = Refusal("too_many", 503, "SERVICE_UNAVAILABLE", "Too many connections are open. Try again later")
TOO_MANY_FROM_ADDRESS = Refusal(
    "too_many_from_address",
    429,
    "RATE_LIMIT_EXCEEDED",
    "Too many connections from this address. Close some, or try again later",
)
TOO_MANY_PIPELINED = Refusal(
    "too_many_pipelined", 429, "RATE_LIMIT_EXCEEDED", "Too many requests at once on one connection. Wait for answers"
)

# Why a connection was closed without an answer.
SILENT = "silent"
SLOW_READER = "slow_reader"
