"""Differences between SNS and EventBridge inside an operator, and the readers that all operators share."""

from collections.abc import Callable
from dataclasses import dataclass

from sightline.bus.policy.conditions import Wildcard
from sightline.bus.policy.json_complaints import Complaint
from sightline.bus.policy.json_tokens import JsonReader, Token
from sightline.bus.policy.leaves import Numbers
from sightline.bus.policy.wildcard import WildcardPattern, parse_wildcard

__all__ = ["TOO_MANY", "Dialect", "out_of_range", "read_end", "read_string", "read_wildcard"]

ONE_KEY = "Only one key allowed in match expression"
TOO_MANY = "Too many elements in numeric expression"


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where SNS and EventBridge differ inside an operator."""

    numbers: Numbers
    number_limit: float
    null_exists: bool
    nested_ignore_case: bool
    anything_but: frozenset[str]
    anything_but_lists: bool
    check_wildcard: Callable[[WildcardPattern], None]


def read_string(reader: JsonReader, what: str) -> str:
    if reader.next() is not Token.STRING:
        reader.complain(f"{what} match pattern must be a string")
    return reader.text()


def read_end(reader: JsonReader, complaint: str = ONE_KEY) -> None:
    if reader.next() is not Token.END_OBJECT:
        reader.complain(complaint)


def read_wildcard(reader: JsonReader, text: str, dialect: Dialect) -> Wildcard:
    try:
        pattern = parse_wildcard(text)
    except Complaint as complaint:
        reader.complain(complaint.text)
    dialect.check_wildcard(pattern)
    return Wildcard(text, pattern)


def out_of_range(spelling: str, dialect: Dialect) -> str | None:
    """The error message for a number that the engine cannot compare; None for one that it can."""
    limit = dialect.number_limit
    if -limit <= float(spelling) <= limit:
        return None
    shown = f"{limit / 1e9:.1f}E9"
    return f"Value must be between -{shown} and {shown}, inclusive"
