"""Message attributes of SNS: reading them, with the error messages of AWS. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from sightline.api.aws.call import AwsError
from sightline.bus import Attribute

MAX_NAME_BYTES = 256
_FORBIDDEN_IN_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_TYPE = re.compile(r"(String|Number|Binary)(\..{1,249})?", re.DOTALL)


def read_attributes(given: Mapping[str, Any], *, where: str = "") -> dict[str, Attribute]:
    """`where` is the path of the entry in a batch, for errors."""
    return {name: _attribute(name, one, where) for name, one in given.items()}


def _attribute(name: str, given: Any, where: str) -> Attribute:
    _check_name(name)
    members: Mapping[str, Any] = given if isinstance(given, dict) else {}
    data_type = members.get("DataType")
    if not isinstance(data_type, str):
        raise AwsError(
            "ValidationError",
            f"1 validation error detected: Value null at '{where}messageAttributes.{name}.member.dataType' failed to satisfy "
            "constraint: Member must not be null",
        )
    if not (found := _TYPE.fullmatch(data_type)):
        raise _refusal(
            f"The message attribute '{name}' has an invalid message attribute type, the set of supported type prefixes is "
            "Binary, Number, and String."
        )
    field = "Binary" if found[1] == "Binary" else "String"
    other = "String" if field == "Binary" else "Binary"
    value = members.get(f"{field}Value")
    if value is None and members.get(f"{other}Value") is not None:
        raise _refusal(f"The message attribute '{name}' with type '{data_type}' must use field '{field}'.")
    if not value:
        raise _refusal(
            f"The message attribute '{name}' must contain non-empty message attribute value for message attribute type "
            f"'{data_type}'."
        )
    return Attribute(data_type, value)


def _check_name(name: str) -> None:
    if len(name.encode()) > MAX_NAME_BYTES:
        raise _refusal(f"Length of message attribute name must be less than {MAX_NAME_BYTES} bytes.")
    if found := _FORBIDDEN_IN_NAME.search(name):
        raise _refusal(
            f"Invalid non-alphanumeric character '#x{ord(found[0]):X}' was found in the message attribute name. Can only "
            "include alphanumeric characters, hyphens, underscores, or dots."
        )
    for side, is_found in (("starting", name.startswith(".")), ("ending", name.endswith("."))):
        if is_found:
            raise _refusal(f"Invalid message attribute name {side} with character '.' was found.")
    if ".." in name:
        raise _refusal("Message attribute name can not have successive '.' character.")


def _refusal(message: str) -> AwsError:
    return AwsError("ParameterValueInvalid", message)
