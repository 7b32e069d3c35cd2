"""Query parameters, as the API reads them. Pure."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from uuid import UUID

from sightline.errors import InvalidInput

Scalar = str | int | float | bool | datetime | UUID | Enum
Parameter = Scalar | Sequence[Scalar] | None
"""A list is sent as a repeated parameter; None is left out."""


def query_of(parameters: Mapping[str, Parameter]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, Sequence) and not isinstance(value, str):
            found += [(name, _text(name, one)) for one in value]
        else:
            found.append((name, _text(name, value)))
    return found


def _text(name: str, value: Scalar) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case datetime():
            if value.tzinfo is None:
                raise InvalidInput(f"{name}: {value!r} has no time zone; use an aware datetime")
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Enum():
            return str(value.value)
        case str() | int() | float() | UUID():
            return str(value)
    raise InvalidInput(f"{name}: {value!r} cannot be sent; use text, a number, a datetime or a list of them")
