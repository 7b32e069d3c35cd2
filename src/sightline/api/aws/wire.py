"""What a protocol of AWS does: reads the action and its parameters, and writes results and errors."""

from typing import Any, NamedTuple, Protocol

from sightline.api.aws.call import AwsError
from sightline.api.aws.request import AwsRequest

Headers = tuple[tuple[bytes, bytes], ...]


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: Headers


class WireProtocol(Protocol):
    def read(self, request: AwsRequest) -> tuple[str, dict[str, Any]]:
        """The action, empty if the request names none, and its parameters in the shape of boto3."""

    def write(self, action: str, result: dict[str, Any] | None, request_id: str) -> Answer: ...

    def error(self, error: AwsError, request_id: str) -> Answer: ...
