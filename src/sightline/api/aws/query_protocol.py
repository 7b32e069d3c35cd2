"""The query protocol: parameters as a form, results as XML (SNS, STS, and older clients of SQS)."""

import base64
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl
from xml.sax.saxutils import escape

from sightline.api.aws.call import UNKNOWN_OPERATION, AwsError
from sightline.api.aws.query_form import MAX_PARAMETERS, read_form, sns_members, sqs_members
from sightline.api.aws.request import AwsRequest
from sightline.api.aws.wire import Answer
from sightline.timing import iso_utc

_XML = ((b"content-type", b"text/xml"),)
_NOT_PARAMETERS = frozenset({"Action", "Version", "AWSAccessKeyId", "Timestamp"})
_MAPS = frozenset({"Attributes", "attributes"})
SQS_MAPS: Mapping[str, tuple[str, str, str]] = {
    "Attributes": ("Attribute", "Name", "Value"),
    "MessageAttributes": ("MessageAttribute", "Name", "Value"),
    "Tags": ("Tag", "Key", "Value"),
}
_SQS_LISTS: Mapping[str, str] = {
    "QueueUrls": "QueueUrl",
    "queueUrls": "QueueUrl",
    "Messages": "Message",
    "Failed": "BatchResultErrorEntry",
    "Results": "ListMessageMoveTasksResultEntry",
}


class QueryProtocol:
    """`is_flat` is the form of SQS: lists and maps without a member around their entries."""

    def __init__(self, namespace: str, *, is_flat: bool = False) -> None:
        self._namespace = namespace
        self._is_flat = is_flat

    def read(self, request: AwsRequest) -> tuple[str, dict[str, Any]]:
        try:
            form = parse_qsl(request.body.decode(), keep_blank_values=True, max_num_fields=MAX_PARAMETERS)
        except ValueError as error:
            raise AwsError("MalformedQueryString", "The request body is not a valid form.") from error
        pairs = [pair for pair in (*request.query, *form) if not pair[0].startswith("X-Amz-")]
        action = next((value for name, value in pairs if name == "Action"), "")
        tree = read_form(pair for pair in pairs if pair[0] not in _NOT_PARAMETERS)
        if not self._is_flat:
            return action, sns_members(tree)
        # A call may be made on the queue's own address, and need not name the queue again.
        return action, {"QueueUrl": request.raw_path} | sqs_members(tree) if request.raw_path != "/" else sqs_members(
            tree
        )

    def write(self, action: str, result: dict[str, Any] | None, request_id: str) -> Answer:
        content = "" if result is None else _element(f"{action}Result", self._members(action, result))
        metadata = f"<ResponseMetadata><RequestId>{request_id}</RequestId></ResponseMetadata>"
        text = f'<{action}Response xmlns="{self._namespace}">{content}{metadata}</{action}Response>'
        return Answer(200, _document(text), _XML)

    def error(self, error: AwsError, request_id: str) -> Answer:
        if error.code == UNKNOWN_OPERATION:
            return Answer(error.status, f"<{UNKNOWN_OPERATION}/>\n".encode(), _XML)
        fault = "Sender" if error.is_sender_fault else "Receiver"
        code = error.query_code or error.code
        further = "".join(f"<{name}>{_text(value)}</{name}>" for name, value in error.fields.items())
        detail = "<Detail/>" if self._is_flat else ""  # only SQS writes it
        text = (
            f'<ErrorResponse xmlns="{self._namespace}"><Error><Type>{fault}</Type><Code>{escape(code)}</Code>'
            f"<Message>{_text(error.query_message or error.message)}</Message>{further}{detail}</Error>"
            f"<RequestId>{request_id}</RequestId></ErrorResponse>"
        )
        return Answer(error.status, _document(text), _XML)

    def _members(self, action: str, members: Mapping[str, Any]) -> str:
        write = self._flat_member if self._is_flat else self._member
        return "".join(write(action, name, value) for name, value in members.items() if value is not None)

    def _member(self, action: str, name: str, value: Any) -> str:
        if isinstance(value, dict) and name in _MAPS:
            entries = "".join(
                f"<entry><key>{_text(key)}</key><value>{_text(one)}</value></entry>" for key, one in value.items()
            )
            return f"<{name}>{entries}</{name}>"
        if isinstance(value, (list, tuple)):
            entries = "".join(f"<member>{self._value(action, one)}</member>" for one in value)
            return f"<{name}>{entries}</{name}>"
        return f"<{name}>{self._value(action, value)}</{name}>"

    def _flat_member(self, action: str, name: str, value: Any) -> str:
        if isinstance(value, dict) and name in SQS_MAPS:
            entry, key_name, value_name = SQS_MAPS[name]
            return "".join(
                f"<{entry}><{key_name}>{_text(key)}</{key_name}>"
                f"<{value_name}>{self._value(action, one)}</{value_name}></{entry}>"
                for key, one in value.items()
            )
        if isinstance(value, (list, tuple)):
            entry = f"{action}ResultEntry" if name == "Successful" else _SQS_LISTS.get(name, name)
            return "".join(f"<{entry}>{self._value(action, one)}</{entry}>" for one in value)
        return f"<{name}>{self._value(action, value)}</{name}>"

    def _value(self, action: str, value: Any) -> str:
        return self._members(action, value) if isinstance(value, dict) else _text(value)


def _element(name: str, content: str) -> str:
    return f"<{name}>{content}</{name}>" if content else f"<{name}/>"


def _document(text: str) -> bytes:
    return f'<?xml version="1.0"?>{text}'.encode("utf-8", "replace")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return iso_utc(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return escape(str(value), {"\r": "&#13;"})
