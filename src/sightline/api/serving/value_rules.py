"""Values that no request may carry, whatever the route: NUL, half characters, numbers without end. Pure.

PostgreSQL stores none of them, and JSON that is sent on may hold none. Emoji and other characters beyond the first 65,536 are
fine, written out or as a pair of `\\ud…` escapes.
"""

import json
import math
import re
from typing import Any
from urllib.parse import parse_qsl

# What a body must contain before it can break a rule; most do not, and need not be parsed a second time.
_SUSPICIOUS = re.compile(
    rb"\\u0000|\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]|NaN|Infinity|[0-9.][eE]\+?[0-9]{3}|[0-9]{300}|\x00|\\ud"
)
_HALF = re.compile("[\ud800-\udfff]")
_NUL = "contains a NUL character"
_HALF_CHARACTER = "contains half a character (an unpaired surrogate)"


class InvalidValue(ValueError):
    """`reason` says what is wrong, without the value."""

    def __init__(self, where: str, field: str, reason: str) -> None:
        super().__init__(reason)
        self.where = where
        self.field = field or where
        self.reason = reason


def check_body(body: bytes) -> None:
    """Raises `InvalidValue` for JSON with such a value; what is no JSON at all is left to the route to refuse."""
    if _SUSPICIOUS.search(body) is None:
        return
    try:
        value = json.loads(body, parse_constant=_refuse_constant, parse_float=_finite)
    except InvalidValue:
        raise
    except (ValueError, RecursionError):
        return
    _check_texts(value)


def check_query(query: bytes) -> None:
    """Of a query's values only NUL is a problem: bytes that are no text are replaced when it is read."""
    if b"%00" not in query and b"\0" not in query:
        return
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if "\0" in name or "\0" in value:
            raise InvalidValue("query", name.replace("\0", ""), _NUL)


def _refuse_constant(name: str) -> Any:
    raise InvalidValue("body", "", f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise InvalidValue("body", "", "a number is too large")
    return number


def _check_texts(document: Any) -> None:
    waiting: list[tuple[str, Any]] = [("", document)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, str):
            if "\0" in value:
                raise InvalidValue("body", at, _NUL)
            if _HALF.search(value):
                raise InvalidValue("body", at, _HALF_CHARACTER)
        elif isinstance(value, dict):
            waiting += ((at, name) for name in value)
            waiting += ((f"{at}.{name}".lstrip("."), inner) for name, inner in value.items())
        elif isinstance(value, list):
            waiting += ((f"{at}.{index}".lstrip("."), inner) for index, inner in enumerate(value))
