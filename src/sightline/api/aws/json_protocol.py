"""The JSON protocols: 1.0 (SQS), 1.1 (EventBridge) and REST (Scheduler)."""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import unquote

import msgspec

from sightline.api.aws.call import AwsError
from sightline.api.aws.request import AwsRequest
from sightline.api.aws.wire import Answer, Headers

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class JsonProtocol:
    """The action is in `X-Amz-Target`, the parameters are the body. `has_times`: results may have members that are times.
    `plain_forms` are the types that plain requests of some actions are read as, which costs less than reading and checking a
    dictionary. What does not fit is read as one, and the action finds out what is wrong with it."""

    def __init__(
        self,
        *,
        version: str,
        namespace: str,
        has_times: bool = True,
        plain_forms: Mapping[str, type[msgspec.Struct]] | None = None,
    ) -> None:
        self._headers: Headers = ((b"content-type", f"application/x-amz-json-{version}".encode()),)
        self._namespace = namespace
        self._to_json = to_json if has_times else to_json_without_times
        forms = plain_forms or {}
        self._plain_readers = {action: msgspec.json.Decoder(form).decode for action, form in forms.items()}

    def read(self, request: AwsRequest) -> tuple[str, dict[str, Any] | msgspec.Struct]:
        _, _, action = request.headers.get("x-amz-target", "").partition(".")
        if (read_plain := self._plain_readers.get(action)) is not None:
            with suppress(ValueError, RecursionError):
                return action, read_plain(request.body)
        return action, _with_blobs(read_object(request.body))

    def write(self, action: str, result: dict[str, Any] | msgspec.Struct | None, request_id: str) -> Answer:
        return Answer(200, b"{}" if result is None else self._to_json(result), self._headers)

    def error(self, error: AwsError, request_id: str) -> Answer:
        content = {"__type": f"{self._namespace}#{error.code}", "message": error.message, **error.fields}
        headers = self._headers
        if error.query_code is not None:
            fault = "Sender" if error.is_sender_fault else "Receiver"
            headers += ((b"x-amzn-query-error", f"{error.query_code};{fault}".encode()),)
        return Answer(error.status, to_json(content), headers)


@dataclass(frozen=True, slots=True)
class Route:
    """An operation of a REST service: its path with one parameter at most, and members that come in the query."""

    method: str
    path: str
    action: str
    query: Mapping[str, str]
    """Name in the query → member."""
    lists: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()


class RestJsonProtocol:
    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = [(_pattern(route.path), route) for route in routes]

    def read(self, request: AwsRequest) -> tuple[str, dict[str, Any]]:
        for pattern, route in self._routes:
            if route.method == request.method and (found := pattern.fullmatch(request.raw_path)) is not None:
                parameters = read_object(request.body) if request.body else {}
                parameters |= {name: unquote(value) for name, value in found.groupdict().items()}
                return route.action, parameters | _query_members(route, request)
        return "", {}

    def write(self, action: str, result: dict[str, Any] | None, request_id: str) -> Answer:
        return Answer(200, to_json(result or {}), ((b"content-type", b"application/json"),))

    def error(self, error: AwsError, request_id: str) -> Answer:
        content = {"Message": error.message, **error.fields}
        return Answer(
            error.status,
            to_json(content),
            ((b"content-type", b"application/json"), (b"x-amzn-errortype", error.code.encode())),
        )


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))


def _query_members(route: Route, request: AwsRequest) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in request.query:
        if (member := route.query.get(name)) is None:
            continue
        if member in route.lists:
            members.setdefault(member, []).append(value)
        elif member in route.numbers:
            if not re.fullmatch("[0-9]{1,9}", value):
                raise AwsError("ValidationException", f"{member} must be a number")
            members[member] = int(value)
        else:
            members[member] = value
    return members


def read_object(body: bytes) -> dict[str, Any]:
    try:
        found = _decode(body or b"{}")
    except (ValueError, RecursionError):
        found = _read_leniently(body)
    if not isinstance(found, dict):
        raise AwsError("SerializationException", "The request body must be a JSON object.")
    return found


def _read_leniently(body: bytes) -> Any:
    """Reads what the fast reader refuses and Python's takes: halves of characters, NaN, other encodings."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise AwsError("SerializationException", "The request body is not valid JSON.") from error


def to_json_without_times(content: Any) -> bytes:
    """The same as `to_json` in a tenth of the time; a `datetime` would become a text, though."""
    try:
        return _encode(content)
    except (ValueError, TypeError):  # half a character, for example
        return to_json(content)


def to_json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=_other).encode("utf-8", "replace")


def _other(value: object) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _with_blobs(parameters: dict[str, Any]) -> dict[str, Any]:
    """Decodes the binary values of message attributes, of a message or of each entry of a batch."""
    entries = parameters.get("Entries")
    holders = entries if isinstance(entries, list) else [parameters]
    for holder in holders:
        if not isinstance(holder, dict):
            continue
        for name in ("MessageAttributes", "MessageSystemAttributes"):
            if name in holder and isinstance(attributes := holder[name], dict):
                for one in attributes.values():
                    if isinstance(one, dict) and isinstance(one.get("BinaryValue"), str):
                        one["BinaryValue"] = decode_blob(one["BinaryValue"])
    return parameters


def decode_blob(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise AwsError("SerializationException", "A binary value is not valid base64.") from error
