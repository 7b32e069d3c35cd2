"""Parameters of the query protocol: a flat form with dotted names, read into nested members. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from sightline.api.aws.call import AwsError
from sightline.api.aws.json_protocol import decode_blob

MAX_PARAMETERS = 10_000
_MAX_DEPTH = 8

# SQS flattens: `Attribute.1.Name` is an entry of the map `Attributes`, and `AttributeName.1` one of the list `AttributeNames`.
_SQS_LISTS: Mapping[str, str] = {
    "AttributeName": "AttributeNames",
    "MessageAttributeName": "MessageAttributeNames",
    "MessageSystemAttributeName": "MessageSystemAttributeNames",
    "TagKey": "TagKeys",
    "AWSAccountId": "AWSAccountIds",
    "ActionName": "Actions",
    "SendMessageBatchRequestEntry": "Entries",
    "DeleteMessageBatchRequestEntry": "Entries",
    "ChangeMessageVisibilityBatchRequestEntry": "Entries",
}
_SQS_MAPS: Mapping[str, str] = {
    "Attribute": "Attributes",
    "MessageAttribute": "MessageAttributes",
    "MessageSystemAttribute": "MessageSystemAttributes",
    "Tag": "Tags",
    "Tags": "Tags",
}
_NUMBERS = frozenset(
    {
        "DelaySeconds",
        "MaxNumberOfMessages",
        "MaxNumberOfMessagesPerSecond",
        "MaxResults",
        "VisibilityTimeout",
        "WaitTimeSeconds",
    }
)


def read_form(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """`A.1.B=c` as {"A": {"1": {"B": "c"}}}."""
    tree: dict[str, Any] = {}
    for count, (name, value) in enumerate(pairs):
        *parents, last = name.split(".")
        if count >= MAX_PARAMETERS or len(parents) > _MAX_DEPTH:
            raise AwsError("MalformedQueryString", "The request has too many parameters.")
        node = tree
        for parent in parents:
            child = node.setdefault(parent, {})
            if not isinstance(child, dict):
                raise AwsError("MalformedInput", f"The parameter {name} contradicts {parent}.")
            node = child
        if isinstance(node.get(last), dict):
            raise AwsError("MalformedInput", f"The parameter {name} is given in two forms.")
        node[last] = value
    return tree


def sns_members(tree: Any, name: str = "") -> Any:
    """SNS and STS write `List.member.1` and `Map.entry.1.key`."""
    if not isinstance(tree, dict):
        return (
            decode_blob(tree) if name == "BinaryValue" else tree == "true" if name == "ReturnSubscriptionArn" else tree
        )
    if set(tree) == {"member"} and isinstance(tree["member"], dict):
        return [sns_members(one) for one in _in_order(tree["member"])]
    if set(tree) == {"entry"} and isinstance(tree["entry"], dict):
        return _map_of(_in_order(tree["entry"]))
    return {key: sns_members(value, key) for key, value in tree.items()}


def sqs_members(tree: Mapping[str, Any]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in tree.items():
        if name in _SQS_LISTS:
            listed = [value] if isinstance(value, str) else _in_order(value)
            members[_SQS_LISTS[name]] = [sqs_members(one) if isinstance(one, dict) else one for one in listed]
        elif name in _SQS_MAPS and isinstance(value, dict):
            # One attribute may be given without a number.
            is_single = "Name" in value or "Key" in value
            members[_SQS_MAPS[name]] = _map_of([value] if is_single else _in_order(value.get("entry", value)))
        elif name in _NUMBERS and isinstance(value, str):
            members[name] = _number(name, value)
        else:
            members[name] = value
    return members


def _in_order(numbered: Mapping[str, Any]) -> list[Any]:
    if not all(number.isdecimal() and len(number) <= 6 for number in numbered):
        raise AwsError("MalformedInput", "The members of a list must be numbered.")
    return [numbered[number] for number in sorted(numbered, key=int)]


def _map_of(entries: Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            raise AwsError("MalformedInput", "An entry of a map needs a name and a value.")
        key = next((entry[one] for one in ("Name", "key", "Key") if one in entry), None)
        value = next((entry[one] for one in ("Value", "value") if one in entry), "")
        if not isinstance(key, str):
            raise AwsError("MalformedInput", "An entry of a map needs a name and a value.")
        found[key] = sns_members(value)
    return found


def _number(name: str, text: str) -> int:
    try:
        return int(text) if len(text) <= 12 else _not_a_number(name)
    except ValueError:
        return _not_a_number(name)


def _not_a_number(name: str) -> int:
    raise AwsError("MalformedInput", f"The value of {name} is not a number.")
