"""Requests of the AWS endpoint: recognising them among those of the API, and reading their body."""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope

from sightline.api.aws.call import AwsError
from sightline.api.edge import DirectRequest

MAX_BODY_BYTES = 4 * 1024 * 1024
"""A message of 1 MiB may be three times as long when it is encoded."""
TARGETS = {"AmazonSQS": "sqs", "AWSEvents": "events"}
UNSIGNED_ACTIONS = frozenset({"ConfirmSubscription", "Unsubscribe"})
"""Actions of SNS whose links are followed without a signature; a token or a setting of the subscription permits them."""

_CREDENTIAL = re.compile(rb"AWS4-HMAC-SHA256 .*?Credential=[^,\s]+/([^/,\s]+)/aws4_request")
_CREDENTIAL_IN_QUERY = re.compile(rb"X-Amz-Credential=[^&]+(?:%2F|/)([a-z0-9-]+)(?:%2F|/)aws4_request", re.IGNORECASE)
_ACTION_IN_QUERY = re.compile(rb"(?:^|&)Action=([A-Za-z]+)(?:&|$)")
_ENDPOINT_PATH = re.compile(r"/|/\d{12}/[A-Za-z0-9_.-]+/?|/queue/[A-Za-z0-9_.-]+/?")


class AwsRequest(NamedTuple):
    """A request as it arrived. `headers` are by lower-case name, several values joined by commas."""

    service: str
    method: str
    raw_path: str
    raw_query: str
    headers: dict[str, str]
    body: bytes
    scheme: str

    @property
    def query(self) -> list[tuple[str, str]]:
        return parse_qsl(self.raw_query, keep_blank_values=True)


def service_of(scope: Scope) -> str | None:
    """The AWS service that a request is for, by its credential, its target or its action; None: it is not for this endpoint."""
    is_form = False
    for name, value in scope["headers"]:
        if name == b"authorization":
            if _CREDENTIAL.match(value) is not None:
                return signed_service(value)
        elif name == b"x-amz-target":
            return TARGETS.get(value.partition(b".")[0].decode("latin-1"), "unknown")
        elif name == b"content-type":
            is_form = value.startswith(b"application/x-www-form-urlencoded")
    query: bytes = scope["query_string"]
    if not query and not (is_form and scope["method"] == "POST"):
        return None
    if _ENDPOINT_PATH.fullmatch(scope["path"]) is None:
        return None
    if (found := _CREDENTIAL_IN_QUERY.search(query)) is not None:
        service = found[1].decode("latin-1")
        return None if service == "s3" else service
    if (action := _ACTION_IN_QUERY.search(query)) is not None or is_form:
        return (
            "sqs"
            if scope["path"] != "/"
            else "sns"
            if action is not None and action[1].decode() in UNSIGNED_ACTIONS
            else "sts"
        )
    return None


def signed_service(authorization: bytes) -> str | None:
    """The service that a request was signed for; None if it is S3, or if the header has no such signature."""
    found = _CREDENTIAL.match(authorization)
    service = "s3" if found is None else found[1].decode("latin-1")
    return None if service == "s3" else service


def request_of(direct: DirectRequest) -> AwsRequest:
    path, _, query = direct.url.decode("latin-1").partition("?")
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in direct.headers.items()}
    return AwsRequest(direct.service, direct.method, path, query, headers, direct.body, direct.scheme)


async def read_request(scope: Scope, receive: Receive, service: str) -> AwsRequest:
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    raw_path: bytes = scope.get("raw_path") or scope["path"].encode()
    return AwsRequest(
        service,
        scope["method"],
        raw_path.partition(b"?")[0].decode("latin-1"),
        scope["query_string"].decode("latin-1"),
        headers,
        await _read_body(receive),
        scope["scheme"],
    )


async def _read_body(receive: Receive) -> bytes:
    message = await receive()
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        return _checked(body)
    chunks, size = [body], len(body)
    while message.get("more_body", False):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise AwsError("RequestTimeout", "The connection was closed before the request was complete.")
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > MAX_BODY_BYTES:
            break
    return _checked(b"".join(chunks))


def _checked(body: bytes) -> bytes:
    if len(body) > MAX_BODY_BYTES:
        raise AwsError("RequestEntityTooLarge", f"A request may have at most {MAX_BODY_BYTES} bytes.", status=413)
    return body
