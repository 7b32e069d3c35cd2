"""The `anything-but` operator: excluded values, prefixes, suffixes or wildcards."""

from sightline.bus.policy.conditions import AnythingBut, AnythingUnlike, Condition, EqualsIgnoreCase, Prefix, Suffix
from sightline.bus.policy.dialect import TOO_MANY, Dialect, out_of_range, read_end, read_wildcard
from sightline.bus.policy.json_complaints import Complaint
from sightline.bus.policy.json_tokens import JsonReader, Token
from sightline.bus.policy.leaves import Leaf

__all__ = ["read_anything_but"]


def read_anything_but(reader: JsonReader, dialect: Dialect) -> Condition:
    token = reader.next()
    if token is Token.START_OBJECT:
        return _anything_unlike(reader, dialect)
    if token not in (Token.START_ARRAY, Token.STRING, Token.INTEGER, Token.FLOAT):
        reader.complain("Value of anything-but must be an array or single string/number value.")
    if token is Token.START_ARRAY:
        leaves = _excluded_list(reader, dialect)
    else:
        leaves = frozenset({_excluded(reader, dialect)})
    read_end(reader, TOO_MANY)
    return AnythingBut(leaves)


def _excluded(reader: JsonReader, dialect: Dialect) -> Leaf:
    if reader.token is Token.STRING:
        return ("s", reader.text())
    complaint = out_of_range(reader.text(), dialect)
    if complaint is not None:
        raise Complaint(complaint)
    return dialect.numbers(reader.text())


def _excluded_list(reader: JsonReader, dialect: Dialect) -> frozenset[Leaf]:
    leaves = set()
    while (token := reader.next()) is not Token.END_ARRAY:
        if token is not Token.STRING and not token.is_number:
            reader.complain("Inside anything but list, start|null|boolean is not supported.")
        try:
            leaves.add(_excluded(reader, dialect))
        except Complaint as complaint:
            reader.complain(complaint.text)
    if len({kind for kind, _ in leaves}) != 1:
        reader.complain("Inside anything but list, either all values are number or string, mixed type is not supported")
    return frozenset(leaves)


def _anything_unlike(reader: JsonReader, dialect: Dialect) -> Condition:
    if reader.next() is not Token.FIELD_NAME:
        reader.complain("Anything-But expression name not found")
    name = reader.name
    if name not in dialect.anything_but:
        reader.complain(f"Unsupported anything-but pattern: {name}")
    token = reader.next()
    if not dialect.anything_but_lists:
        if token is not Token.STRING:
            reader.complain(f"{name} match pattern must be a string")
        condition = _unlike(reader, name, dialect)
        read_end(reader)
        read_end(reader)
        return AnythingUnlike((condition,))
    if token not in (Token.START_ARRAY, Token.STRING, Token.INTEGER, Token.FLOAT):
        reader.complain("Value of anything-but must be an array or single string/number value.")
    conditions = []
    if token is Token.START_ARRAY:
        while reader.next() is not Token.END_ARRAY:
            conditions.append(_unlike(reader, name, dialect))
    else:
        conditions.append(_unlike(reader, name, dialect))
    read_end(reader, TOO_MANY)
    read_end(reader, TOO_MANY)
    return AnythingUnlike(tuple(conditions))


_NOT_A_STRING = {
    "prefix": "prefix/suffix match pattern must be a string",
    "suffix": "prefix/suffix match pattern must be a string",
    "wildcard": "wildcard match pattern must be a string",
    "equals-ignore-case": "Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.",
}


def _unlike(reader: JsonReader, name: str, dialect: Dialect) -> Condition:
    if reader.token is not Token.STRING:
        reader.complain(_NOT_A_STRING[name])
    text = reader.text()
    if name in ("prefix", "suffix"):
        if text == "":
            reader.complain("Null prefix/suffix not allowed")
        return Prefix(text) if name == "prefix" else Suffix(text)
    return read_wildcard(reader, text, dialect) if name == "wildcard" else EqualsIgnoreCase(text)
