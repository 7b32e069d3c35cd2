"""Parameters of SQS calls, checked for their types. Pure."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sightline.api.aws.call import AwsCall
from sightline.bus import Attribute, BusRefusal, NewQueueMessage, no_such_queue

Parameters = Mapping[str, Any]


def required_text(parameters: Parameters, name: str) -> str:
    value = parameters.get(name)
    if value is None or value == "":
        raise BusRefusal(f"The request must contain the parameter {name}.", "MissingParameter")
    return text(value, name)


def text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise BusRefusal(f"Value {value} for parameter {name} is invalid. Reason: Must be a string.")
    return value


def optional_text(parameters: Parameters, name: str) -> str | None:
    value = parameters.get(name)
    return None if value is None else text(value, name)


def optional_number(parameters: Parameters, name: str) -> int | None:
    value = parameters.get(name)
    if value is None:
        return None
    try:
        if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
            raise ValueError
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise BusRefusal(f"Value {value} for parameter {name} is invalid. Reason: Must be an integer.") from None


def texts(parameters: Parameters, name: str) -> list[str]:
    value = parameters.get(name) or []
    if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(one, str) for one in value):
        raise BusRefusal(f"Value {value} for parameter {name} is invalid. Reason: Must be a list of strings.")
    return list(value)


def text_map(parameters: Parameters, name: str) -> dict[str, str]:
    value = parameters.get(name) or {}
    if not isinstance(value, Mapping) or not all(isinstance(one, str) for one in value.values()):
        raise BusRefusal(f"Value {value} for parameter {name} is invalid. Reason: Must be a map of strings.")
    return dict(value)


def entries(parameters: Parameters) -> list[Parameters]:
    value = parameters.get("Entries") or []
    if not isinstance(value, list) or [one for one in value if not isinstance(one, dict)]:
        raise BusRefusal("Value for parameter Entries is invalid. Reason: Must be a list of structures.")
    return value


def queue_name(call: AwsCall, parameters: Parameters) -> str:
    """The name in a queue URL. Other accounts' queues do not exist for the caller."""
    account_id, name = _account_and_name(required_text(parameters, "QueueUrl"))
    if account_id is not None and account_id != call.account.account_id:
        raise no_such_queue()
    return name


@lru_cache(maxsize=1024)
def _account_and_name(url: str) -> tuple[str | None, str]:
    """The account, if the URL names one, and the name. Cached, since a client uses few queues and names one in each call."""
    rest, _, name = url.rstrip("/").rpartition("/")
    account_id = rest.rpartition("/")[2]
    return account_id if account_id.isdigit() and len(account_id) == 12 else None, name


def queue_url(call: AwsCall, local_name: str) -> str:
    return f"{call.base_url}/{call.account.account_id}/{local_name.rpartition('/')[2]}"


def new_message(call: AwsCall, parameters: Parameters) -> NewQueueMessage:
    """A message to send: the parameters of SendMessage, or an entry of a batch."""
    body = parameters.get("MessageBody")
    body = "" if body is None else text(body, "MessageBody")
    if len(parameters) == 2 and "Id" in parameters:  # most entries of batches have no other member
        return NewQueueMessage(body, trace_header=call.trace_header)
    return NewQueueMessage(
        body,
        _attributes(parameters.get("MessageAttributes")),
        optional_number(parameters, "DelaySeconds"),
        optional_text(parameters, "MessageGroupId"),
        optional_text(parameters, "MessageDeduplicationId"),
        _attributes(parameters.get("MessageSystemAttributes")),
        call.trace_header,
    )


def _attributes(given: Any) -> dict[str, Attribute]:
    if not given:
        return {}
    if not isinstance(given, Mapping):
        raise BusRefusal("Value for parameter MessageAttributes is invalid. Reason: Must be a map.")
    return {name: _attribute(name, one) for name, one in given.items()}


def _attribute(name: str, given: Any) -> Attribute:
    data_type = given.get("DataType") if isinstance(given, Mapping) else None
    if not isinstance(data_type, str) or not data_type:
        raise BusRefusal(f"The message attribute '{name}' must contain non-empty message attribute type.")
    if given.get("StringListValues") or given.get("BinaryListValues"):
        raise BusRefusal(
            "Message attribute list values in SendMessage operation are not supported.",
            "AWS.SimpleQueueService.UnsupportedOperation",
        )
    value = given.get("BinaryValue" if data_type.startswith("Binary") else "StringValue")
    if value is None:
        kind = data_type.partition(".")[0]
        raise BusRefusal(f"Message (user) attribute '{name}' must contain a non-empty value of type '{kind}'.")
    if not isinstance(value, bytes if data_type.startswith("Binary") else str):
        raise BusRefusal(f"The message attribute '{name}' has a value that does not fit its type '{data_type}'.")
    return Attribute(data_type, value)
