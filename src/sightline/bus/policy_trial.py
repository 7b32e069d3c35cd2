"""Trying a filter policy or event pattern on one message or event, both given as text. Pure."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from sightline.bus.limits import check_attributes
from sightline.bus.policy import (
    Attribute,
    Explanation,
    NumberText,
    Scope,
    compile_event_pattern,
    compile_filter_policy,
    explain,
    explain_event,
)
from sightline.errors import InvalidInput

# How SNS's envelope and SNS's API spell an attribute.
_SPELLINGS = (("Type", "Value"), ("DataType", "StringValue"))


def try_filter_policy(policy: str, message: str, scope: Scope) -> Explanation:
    """The message is its attributes or its body, or an object of both: `{"attributes": …, "body": …}`.

    Raises `PolicyInvalid` with the error message of SNS, and `InvalidInput` for a message that cannot be read.
    """
    compiled = compile_filter_policy(policy, scope=scope, on_subscribe=True)
    if scope == "MessageBody":
        return explain(compiled, {}, body_of(message))
    attributes = attributes_of(_object(message, "the message"))
    check_attributes(attributes)
    return explain(compiled, attributes, "")


def try_event_pattern(pattern: str, event: str) -> Explanation:
    """Raises `PolicyInvalid` with the error message of EventBridge, and `InvalidInput` for what is not an event."""
    compiled = compile_event_pattern(pattern)
    return explain_event(compiled, _object(event, "the event"))


def attributes_of(message: Mapping[str, Any]) -> dict[str, Attribute]:
    """Of a whole message, or of an object that is nothing but attributes."""
    given = message.get("attributes")
    is_whole = isinstance(given, dict) and message.keys() <= {"attributes", "body"}
    found: Mapping[str, Any] = given if is_whole and given is not None else message
    return {name: _attribute(name, value) for name, value in found.items()}


def _attribute(name: str, value: object) -> Attribute:
    match value:
        case NumberText():
            return Attribute("Number", str(value))
        case str():
            return Attribute("String", value)
        case list():
            return Attribute("String.Array", _as_json(value))
        case dict():
            for data_type, content in _SPELLINGS:
                if data_type in value and content in value:
                    return _spelled(str(value[data_type]), value[content])
    raise InvalidInput(
        f"the message attribute {name!r} is neither a text, a number nor a list, and has no Type and Value"
    )


def _spelled(data_type: str, value: object) -> Attribute:
    """The value of a String.Array may be given as the list it stands for."""
    if data_type.startswith("Binary"):
        return Attribute(data_type, str(value).encode())
    return Attribute(data_type, value if isinstance(value, str) else _as_json(value))


def body_of(message: str) -> str:
    """The message is its body, unless it is an object of just attributes and body."""
    try:
        whole = json.loads(message)
    except (ValueError, RecursionError):
        return message
    if not (isinstance(whole, dict) and whole.keys() == {"attributes", "body"}):
        return message
    body = whole["body"]
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def _as_json(value: object) -> str:
    """JSON again, numbers with every digit they were given."""
    match value:
        case NumberText():
            return str(value)
        case list():
            return f"[{', '.join(map(_as_json, value))}]"
        case dict():
            return "{" + ", ".join(f"{_as_json(name)}: {_as_json(one)}" for name, one in value.items()) + "}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _object(text: str, what: str) -> dict[str, Any]:
    try:
        found = json.loads(text, parse_int=NumberText, parse_float=NumberText, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{what} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{what} is not a JSON object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
