"""Operators of a policy. Error messages and their order are those of the engine of AWS."""

from collections.abc import Callable

from sightline.bus.policy.addresses import parse_block
from sightline.bus.policy.anything_but import read_anything_but
from sightline.bus.policy.conditions import (
    Absent,
    AnyOf,
    Condition,
    EqualsIgnoreCase,
    Exists,
    InBlock,
    Prefix,
    PrefixIgnoreCase,
    Suffix,
    SuffixIgnoreCase,
)
from sightline.bus.policy.dialect import Dialect, read_end, read_string, read_wildcard
from sightline.bus.policy.json_tokens import JsonReader, Token
from sightline.bus.policy.numeric_range import read_numeric

__all__ = ["read_operator"]


def read_operator(reader: JsonReader, dialect: Dialect) -> Condition:
    """The reader stands on the opening brace and is left on the closing one."""
    if reader.next() is not Token.FIELD_NAME:
        reader.complain("Match expression name not found")
    name = reader.name
    read = _READERS.get(name)
    if read is None:
        reader.complain(f"Unrecognized match type {name}")
    return read(reader, dialect)


def _exactly(reader: JsonReader, dialect: Dialect) -> Condition:
    text = read_string(reader, "exact")
    read_end(reader)
    return AnyOf(frozenset({("s", text)}))


def _affix(name: str, plain: type[Prefix | Suffix], folding: type[PrefixIgnoreCase | SuffixIgnoreCase]) -> "_Reader":
    def read(reader: JsonReader, dialect: Dialect) -> Condition:
        token = reader.next()
        if token is Token.START_OBJECT and dialect.nested_ignore_case:
            if reader.next() is not Token.FIELD_NAME:
                reader.complain(f"{name.capitalize()} expression name not found")
            if reader.name != "equals-ignore-case":
                reader.complain(f"Unsupported {name} pattern: {reader.name}")
            text = read_string(reader, "equals-ignore-case")
            read_end(reader)
            read_end(reader)
            return folding(text)
        if token is not Token.STRING:
            reader.complain(f"{name} match pattern must be a string")
        condition = plain(reader.text())
        read_end(reader)
        return condition

    return read


def _ignore_case(reader: JsonReader, dialect: Dialect) -> Condition:
    text = read_string(reader, "equals-ignore-case")
    read_end(reader)
    return EqualsIgnoreCase(text)


def _cidr(reader: JsonReader, dialect: Dialect) -> Condition:
    # The engine of AWS reports "prefix" here.
    text = read_string(reader, "prefix")
    block = parse_block(text)
    read_end(reader)
    return InBlock(text, block)


def _exists(reader: JsonReader, dialect: Dialect) -> Condition:
    token = reader.next()
    if token not in (Token.TRUE, Token.FALSE):
        reader.complain("exists match pattern must be either true or false.")
    read_end(reader)
    return Exists(dialect.null_exists) if token is Token.TRUE else Absent()


def _wildcard(reader: JsonReader, dialect: Dialect) -> Condition:
    condition = read_wildcard(reader, read_string(reader, "wildcard"), dialect)
    read_end(reader)
    return condition


_Reader = Callable[[JsonReader, Dialect], Condition]

_READERS: dict[str, _Reader] = {
    "exactly": _exactly,
    "prefix": _affix("prefix", Prefix, PrefixIgnoreCase),
    "suffix": _affix("suffix", Suffix, SuffixIgnoreCase),
    "equals-ignore-case": _ignore_case,
    "cidr": _cidr,
    "exists": _exists,
    "wildcard": _wildcard,
    "numeric": read_numeric,
    "anything-but": read_anything_but,
}
