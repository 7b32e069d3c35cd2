"""Attribute values of DynamoDB: written strictly, read leniently. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

Item = dict[str, dict[str, Any]]
"""Attribute → its type and value, as DynamoDB writes them."""

_COLLECTION_BYTES = 3  # of a list or map, besides one byte for each of its elements


def text(value: str) -> dict[str, str]:
    return {"S": value}


def number(value: int) -> dict[str, str]:
    return {"N": str(value)}


def moment(value: datetime) -> dict[str, str]:
    """With microseconds and of one length, so that texts sort as times do."""
    return {"S": value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")}


def text_in(value: Mapping[str, Any] | None) -> str | None:
    """A text or a number as text; None for anything else."""
    found = None if value is None else value.get("S", value.get("N"))
    return found if isinstance(found, str) else None


def number_in(value: Mapping[str, Any] | None) -> int | None:
    """A whole number, also one that was written as text."""
    try:
        return int(float(text_in(value) or ""))
    except (ValueError, OverflowError):
        return None


def moment_in(value: Mapping[str, Any] | None) -> datetime | None:
    """A time in ISO 8601 (UTC unless it says otherwise), or in seconds since 1970."""
    found = text_in(value)
    if found is None:
        return None
    try:
        at = datetime.fromisoformat(found)
    except ValueError:
        seconds = number_in(value)
        try:
            return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def plain(value: Mapping[str, Any]) -> Any:
    """The value in Python; bytes and what is unknown become text."""
    typed: tuple[str, Any] = next(iter(value.items()), ("NULL", True))
    match typed:
        case "S", str() as found:
            return found
        case "N", str() as found:
            as_float = float(found)
            return int(as_float) if as_float.is_integer() else as_float
        case "BOOL", found:
            return bool(found)
        case "NULL", _:
            return None
        case "M", dict() as found:
            return {name: plain(one) for name, one in found.items()}
        case "L", list() as found:
            return [plain(one) for one in found]
        case _, found:
            return str(found)


def value_bytes(value: Mapping[str, Any]) -> int:
    """Size of a value as DynamoDB counts it, rounded up."""
    typed: tuple[str, Any] = next(iter(value.items()), ("NULL", True))
    match typed:
        case "M", dict() as found:
            return _COLLECTION_BYTES + sum(1 + len(name.encode()) + value_bytes(one) for name, one in found.items())
        case "L", list() as found:
            return _COLLECTION_BYTES + sum(1 + value_bytes(one) for one in found)
        case (("S" | "N"), str() as found):
            return len(found.encode()) + 1
        case _, bytes() as found:
            return len(found)
        case _:
            return 1
