"""Limits of SNS and SQS, with the error messages of AWS. Pure."""

import re
from functools import lru_cache

from sightline.bus.message import Attributes
from sightline.errors import InvalidInput, TooLarge

MAX_MESSAGE_BYTES = 256 * 1024
MAX_ATTRIBUTES = 10
MAX_SUBJECT = 100
MAX_RECEIVE = 10
MAX_WAIT_S = 20
MAX_VISIBILITY_S = 43_200
MAX_DELAY_S = 900
MAX_CACHED_VALUE = 256  # longer values of attributes are rarely repeated, and would fill the memory

_FORBIDDEN_CHARACTERS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORBIDDEN_BYTES = bytes(set(range(0x20)) - set(b"\t\n\r"))
_ATTRIBUTE_NAME = re.compile(r"[A-Za-z0-9_.-]{1,256}")
_QUEUE_ATTRIBUTE_NAME = re.compile(r"[\w.-]{1,256}")  # SQS takes letters of any language, SNS those of ASCII
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_TYPE = re.compile(r"(String|Number|Binary)(\..{1,249})?", re.DOTALL)


class BusRefusal(InvalidInput):
    """A rejected request, with the error message and the code of AWS."""

    def __init__(self, message: str, code: str = "InvalidParameterValue") -> None:
        super().__init__(message, details={"aws_code": code})
        self.code = code


class MessageTooLarge(TooLarge):
    """Above 256 KB, body and attributes together."""


def check_message(body: str, attributes: Attributes) -> None:
    """Raises unless every backend accepts the message."""
    if not body:
        raise BusRefusal("The request must contain the parameter MessageBody.", "MissingParameter")
    check_text(body)
    size = size_of(body)
    if attributes:
        size += check_attributes(attributes)
    if size > MAX_MESSAGE_BYTES:
        raise MessageTooLarge(
            f"One or more parameters are invalid. Reason: Message must be shorter than {MAX_MESSAGE_BYTES} bytes.",
            details={"bytes": size, "most": MAX_MESSAGE_BYTES},
        )


def check_text(body: str) -> None:
    if not is_clean(body, body.encode("utf-8", "surrogatepass")) and (found := _FORBIDDEN_CHARACTERS.search(body)):
        raise BusRefusal(
            f"Invalid characters found: U+{ord(found[0]):04X}. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF "
            "| #xE000 to #xFFFD | #x10000 to #x10FFFF",
            "InvalidMessageContents",
        )


def is_clean(body: str, encoded: bytes) -> bool:
    """Whether no character of the body is forbidden. Nearly every body is ASCII, which is checked faster."""
    if encoded.isascii():
        return len(encoded.translate(None, _FORBIDDEN_BYTES)) == len(encoded)
    return _FORBIDDEN_CHARACTERS.search(body) is None


def check_attributes(attributes: Attributes, *, any_letters: bool = False) -> int:
    """Their size in bytes, names and types included. `any_letters` in names is what SQS allows, beyond SNS."""
    if len(attributes) > MAX_ATTRIBUTES:
        raise BusRefusal(
            f"Number of message attributes [{len(attributes)}] exceeds the allowed maximum [{MAX_ATTRIBUTES}]."
        )
    return sum(
        (_check_known_attribute if len(one.value) <= MAX_CACHED_VALUE else _check_attribute)(
            name, one.data_type, one.value, any_letters
        )
        for name, one in attributes.items()
    )


# Names and types are few and come with every message, and so do most values: they are what policies look at.
@lru_cache(maxsize=8192)
def _check_known_attribute(name: str, data_type: str, value: str | bytes, any_letters: bool) -> int:
    return _check_attribute(name, data_type, value, any_letters)


def _check_attribute(name: str, data_type: str, value: str | bytes, any_letters: bool) -> int:
    size = _check_name(name, any_letters) + _check_type(name, data_type) + size_of(value)
    if not value:
        kind = data_type.partition(".")[0]
        raise BusRefusal(f"Message (user) attribute '{name}' must contain a non-empty value of type '{kind}'.")
    if isinstance(value, str):
        if found := _FORBIDDEN_CHARACTERS.search(value):
            raise BusRefusal(
                f"The message attribute '{name}' holds the character U+{ord(found[0]):04X}, which is not allowed."
            )
        if data_type.startswith("Number") and not _NUMBER.fullmatch(value):
            raise BusRefusal(f"Can't cast the value of message (user) attribute '{name}' to a number.")
    elif data_type.startswith("Number"):
        raise BusRefusal(f"Can't cast the value of message (user) attribute '{name}' to a number.")
    return size


@lru_cache(maxsize=4096)
def _check_name(name: str, any_letters: bool) -> int:
    if (
        not (_QUEUE_ATTRIBUTE_NAME if any_letters else _ATTRIBUTE_NAME).fullmatch(name)
        or name.lower().startswith(("aws.", "amazon."))
        or name.startswith(".")
        or name.endswith(".")
        or ".." in name
    ):
        raise BusRefusal(f"The message attribute name '{name}' is invalid.")
    return size_of(name)


@lru_cache(maxsize=4096)
def _check_type(name: str, data_type: str) -> int:
    if not _TYPE.fullmatch(data_type):
        raise BusRefusal(
            f"The message attribute '{name}' has an invalid message attribute type, the set of supported type "
            "prefixes is Binary, Number, and String."
        )
    return size_of(data_type)


def check_subject(subject: str | None) -> None:
    if subject is not None and not (0 < len(subject) <= MAX_SUBJECT and subject.isprintable()):
        raise BusRefusal("Invalid parameter: Subject", "InvalidParameter")


def check_receive(limit: int, wait_s: float, visibility_s: float) -> None:
    if not 1 <= limit <= MAX_RECEIVE:
        raise BusRefusal(
            f"Value {limit} for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and {MAX_RECEIVE}, if provided."
        )
    if not 0 <= wait_s <= MAX_WAIT_S:
        raise BusRefusal(
            f"Value {wait_s:g} for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= {MAX_WAIT_S}, if provided."
        )
    check_visibility(visibility_s)


def check_visibility(visibility_s: float) -> None:
    if not 0 <= visibility_s <= MAX_VISIBILITY_S:
        raise BusRefusal(
            f"Value {visibility_s:g} for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and {MAX_VISIBILITY_S}."
        )


def check_delay(delay_s: float) -> None:
    if not 0 <= delay_s <= MAX_DELAY_S:
        raise BusRefusal(
            f"Value {delay_s:g} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= {MAX_DELAY_S}."
        )


def size_of(value: str | bytes) -> int:
    return len(value) if isinstance(value, bytes) or value.isascii() else len(value.encode("utf-8", "surrogatepass"))
