"""Leaves: values of a message in the form that conditions compare, as a type and a hashable key."""

# A string is ("s", text), a number ("n", key), true and false ("l", bool). A number that can be compared has
# a number as its key, any other its spelling: AWS compares numbers only inside a range, beyond it their text.

from collections.abc import Callable
from decimal import Decimal
from typing import Final

__all__ = [
    "NULL",
    "NULL_IN_ARRAY",
    "UNREADABLE",
    "Leaf",
    "NumberText",
    "Numbers",
    "describe",
    "event_numbers",
    "leaf_of",
    "message_numbers",
]

Leaf = tuple[str, str | int | float | bool | None]
Numbers = Callable[[str], Leaf]

NULL: Final[Leaf] = ("l", None)
# To SNS a bare null is missing but a null in an array is not, so they are distinct.
NULL_IN_ARRAY: Final[Leaf] = ("a", None)
# An attribute that cannot be parsed is present, and nothing matches it.
UNREADABLE: Final[Leaf] = ("x", None)

COMPARABLE: Final = 5e9
MICRO: Final = 1_000_000
MAX_DIGITS: Final = 4000


class NumberText(str):
    """A number as its author spelled it, so that digits a float would lose can still be compared."""

    __slots__ = ()


def event_numbers(text: str) -> Leaf:
    """EventBridge compares doubles."""
    try:
        value = float(text)
    except ValueError:
        return ("n", text)
    return ("n", value + 0.0) if -COMPARABLE <= value <= COMPARABLE else ("n", text)


def message_numbers(text: str) -> Leaf:
    """SNS compares six digits after the point and ignores the rest."""
    if len(text) < 10 and text.isascii() and text.isdigit():
        return ("n", int(text) * MICRO)
    try:
        value = float(text)
    except ValueError:
        return ("n", text)
    if not -COMPARABLE <= value <= COMPARABLE:
        return ("n", text)
    # the exponent of a vanishing number may be too large for Decimal to hold
    return ("n", int(Decimal(text).scaleb(6)) if abs(value) > 1e-7 else 0)


def leaf_of(value: object, numbers: Numbers) -> Leaf:
    if type(value) is str:
        return ("s", value)
    if isinstance(value, NumberText):
        return numbers(value)
    if value is None:
        return NULL
    if isinstance(value, bool):
        return ("l", value)
    if isinstance(value, int):
        # beyond some thousands of digits Python refuses to spell a number; none is compared there
        return numbers(str(value)) if value.bit_length() < MAX_DIGITS else ("n", hex(value))
    if isinstance(value, float):
        return numbers(repr(value))
    return ("s", str(value))


def describe(leaf: Leaf) -> str:
    """The leaf as people write it."""
    kind, key = leaf
    if kind == "s":
        return f'"{key}"'
    if kind == "n" and isinstance(key, int):
        return f"{Decimal(key).scaleb(-6).normalize():f}"
    if isinstance(key, float):
        return f"{key:g}"
    if leaf == UNREADABLE:
        return "unreadable"
    if key is None:
        return "null"
    return str(key).lower() if isinstance(key, bool) else str(key)
