"""Values that no request may carry, whatever the route: NUL, half characters, numbers without end. Pure.

PostgreSQL stores none of them, and JSON that is sent on may hold none. Emoji and other characters beyond the first 65,536 are
fine, written out or as a pair of `\\ud…` escapes.
"""

import json
import math
import re
from typing import Any

# What a body must contain before it can break a rule; most do not, and need not be parsed a second time.
_SUSPICIOUS = re.compile(
    rb"\\u0000|\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]|NaN|Infinity|[0-9.][eE]\+?[0-9]{3}|[0-9]{300}|\x00|\\ud"
)
_HALF = re.compile("[\ud800-\udfff]")


class InvalidValue(ValueError):
    """The message says what is wrong, without the value."""


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


def check_address(path: str, query: bytes) -> None:
    if "\0" in path:
        raise InvalidValue("the path contains a NUL character")
    if b"%00" in query or b"\0" in query:
        raise InvalidValue("the query contains a NUL character")


def _refuse_constant(name: str) -> Any:
    raise InvalidValue(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise InvalidValue("a number is too large")
    return number


def _check_texts(value: Any) -> None:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if "\0" in one:
                raise InvalidValue("a text contains a NUL character")
            if _HALF.search(one):
                raise InvalidValue("a text contains half a character (an unpaired surrogate)")
        elif isinstance(one, dict):
            waiting += one.keys()
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
