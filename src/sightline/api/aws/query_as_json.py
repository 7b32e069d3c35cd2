"""The query protocol with results in JSON: what SQS returns to a form whose `Accept` is JSON, as API gateways send it."""

from collections.abc import Mapping
from typing import Any

from sightline.api.aws.call import UNKNOWN_OPERATION, AwsError
from sightline.api.aws.json_protocol import to_json
from sightline.api.aws.query_protocol import SQS_MAPS, QueryProtocol
from sightline.api.aws.request import AwsRequest
from sightline.api.aws.wire import Answer

_JSON = ((b"content-type", b"application/json"),)
_NAMES: Mapping[str, str] = {"Messages": "messages", "QueueUrls": "queueUrls"}
_SHOWN_WHEN_EMPTY: Mapping[str, str] = {"ReceiveMessage": "messages", "ListQueues": "queueUrls"}


def wants_json(request: AwsRequest) -> bool:
    return request.headers.get("accept", "").partition(",")[0].partition(";")[0].strip() == "application/json"


class QueryAsJson(QueryProtocol):
    def write(self, action: str, result: dict[str, Any] | None, request_id: str) -> Answer:
        content: dict[str, Any] = {}
        if result is not None:
            members = _shown(result)
            if (name := _SHOWN_WHEN_EMPTY.get(action)) is not None:
                members.setdefault(name, None)
            content[f"{action}Result"] = members
        content["ResponseMetadata"] = {"RequestId": request_id}
        return Answer(200, to_json({f"{action}Response": content}), _JSON)

    def error(self, error: AwsError, request_id: str) -> Answer:
        if error.code == UNKNOWN_OPERATION:
            return super().error(error, request_id)
        content = {
            "Code": error.query_code or error.code,
            "Message": error.query_message or error.message,
            "Type": "Sender" if error.is_sender_fault else "Receiver",
            **error.fields,
        }
        return Answer(error.status, to_json({"Error": content, "RequestId": request_id}), _JSON)


def _shown(members: Mapping[str, Any]) -> dict[str, Any]:
    return {_NAMES.get(name, name): _value(name, value) for name, value in members.items() if value is not None}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, dict) and name in SQS_MAPS:
        _, key_name, value_name = SQS_MAPS[name]
        return [{key_name: key, value_name: _value("", one)} for key, one in value.items()]
    if isinstance(value, dict):
        return _shown(value)
    if isinstance(value, (list, tuple)):
        return [_value("", one) for one in value]
    return value
