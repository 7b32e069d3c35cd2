"""What a protocol of AWS does: reads the action and its parameters, and writes results and errors."""

from functools import lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol

from sightline.api.aws.call import AwsError
from sightline.api.aws.request import AwsRequest

Headers = tuple[tuple[bytes, bytes], ...]


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: Headers


@lru_cache(maxsize=256)
def response_head(status: int, headers: Headers) -> bytes:
    """What is the same in all responses of a kind: the status line, these headers and one for browsers."""
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()]
    lines += [b"%b: %b" % header for header in (*headers, (b"x-content-type-options", b"nosniff"))]
    return b"\r\n".join((*lines, b""))


class WireProtocol(Protocol):
    def read(self, request: AwsRequest) -> tuple[str, Any]:
        """The action, empty if the request names none, and its parameters: a dictionary in the shape of boto3, or the form that
        the action has for plain requests."""

    def write(self, action: str, result: Any, request_id: str) -> Answer: ...

    def error(self, error: AwsError, request_id: str) -> Answer: ...
