"""The `numeric` operator: one comparison, or a lower and an upper bound."""

from sightline.bus.policy.conditions import Between, Condition
from sightline.bus.policy.dialect import TOO_MANY, Dialect, out_of_range, read_end
from sightline.bus.policy.json_tokens import JsonReader, Token

__all__ = ["read_numeric"]


def read_numeric(reader: JsonReader, dialect: Dialect) -> Condition:
    if reader.next() is not Token.START_ARRAY:
        reader.complain("Value of numeric must be an array.")
    if reader.next() is not Token.STRING:
        reader.complain(f"Invalid member in numeric match: {reader.text()}")
    operator = reader.text()
    reader.next()
    if operator not in ("=", "<", "<=", ">", ">="):
        reader.complain(f"Unrecognized numeric range operator: {operator}")
    spelling = _operand(reader, "equals" if operator == "=" else operator)
    if operator not in (">", ">="):
        if reader.next() is not Token.END_ARRAY:
            reader.complain(TOO_MANY)
        _check_range(reader, spelling, dialect)
        low = spelling if operator == "=" else None
        condition = _between(low, spelling, operator == "=", operator != "<", f"{operator} {spelling}", dialect)
    elif reader.next() is Token.END_ARRAY:
        _check_range(reader, spelling, dialect)
        condition = _between(spelling, None, operator == ">=", False, f"{operator} {spelling}", dialect)
    else:
        condition = _closed_range(reader, operator, spelling, dialect)
    read_end(reader, TOO_MANY)
    return condition


def _closed_range(reader: JsonReader, lower: str, low: str, dialect: Dialect) -> Between:
    if reader.token is not Token.STRING:
        reader.complain(f"Bad value in numeric range: {reader.text()}")
    upper = reader.text()
    if upper not in ("<", "<="):
        reader.complain(f"Bad numeric range operator: {upper}")
    reader.next()
    high = _operand(reader, upper)
    if reader.next() is not Token.END_ARRAY:
        reader.complain("Too many terms in numeric range expression")
    _check_range(reader, low, dialect)
    _check_range(reader, high, dialect)
    words = f"{lower} {low} and {upper} {high}"
    condition = _between(low, high, lower == ">=", upper == "<=", words, dialect)
    if condition.low is not None and condition.high is not None and condition.low >= condition.high:
        reader.complain("Bottom must be less than top")
    return condition


def _operand(reader: JsonReader, operator: str) -> str:
    if not reader.token.is_number:
        reader.complain(f"Value of {operator} must be numeric")
    return reader.text()


def _between(
    low: str | None, high: str | None, with_low: bool, with_high: bool, words: str, dialect: Dialect
) -> Between:
    def key(spelling: str | None) -> int | float | None:
        value = None if spelling is None else dialect.numbers(spelling)[1]
        return value if isinstance(value, int | float) else None

    return Between(key(low), key(high), with_low, with_high, words)


def _check_range(reader: JsonReader, spelling: str, dialect: Dialect) -> None:
    complaint = out_of_range(spelling, dialect)
    if complaint is not None:
        reader.complain(complaint)
