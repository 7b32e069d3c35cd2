"""A call of the AWS endpoint, as its service sees it: parsed, authenticated, apart from the wire."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sightline.api.aws.base_url import base_url

if TYPE_CHECKING:
    from sightline.bootstrap import Platform
    from sightline.bus import Account, Registry


UNKNOWN_OPERATION = "UnknownOperationException"
"""The code for a request that names no action; it is written in a form of its own."""


class AwsCall(NamedTuple):
    service: str
    action: str
    region: str
    request_id: str
    account: "Account"
    scheme: str
    host: str
    """What the client addressed."""
    platform: "Platform"
    trace_header: str | None = None
    """`X-Amzn-Trace-Id` of the request."""

    @property
    def base_url(self) -> str:
        """The endpoint as the client addressed it; queue URLs begin with it."""
        return base_url(self.scheme, self.host, self.platform.public_url)

    @property
    def registry(self) -> "Registry":
        registry = self.platform.open_bus.registry
        assert registry is not None, "the endpoint serves the embedded bus only"
        return registry


class AwsError(Exception):
    """A refusal in the service's own words. `code` is what SDKs show.

    `query_code` is the older code that SQS reports beside it in `x-amzn-query-error`, and `query_message` the text of the query
    protocol where it differs; `fields` are further members.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 400,
        is_sender_fault: bool = True,
        query_code: str | None = None,
        query_message: str | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.is_sender_fault = is_sender_fault
        self.query_code = query_code
        self.query_message = query_message
        self.fields = dict(fields or {})


Action = Callable[[AwsCall, Any], Awaitable[Any]]
"""Parameters and results have the shape that boto3 shows: member names of the service model, blobs as bytes, times as
`datetime`; a request's times may also be numbers of seconds, or text."""
