"""Settings that are lists: written with commas in the environment, tuples in code."""

from typing import Annotated, Any

from pydantic import BeforeValidator


def _split(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


CommaSeparated = Annotated[tuple[str, ...], BeforeValidator(_split)]
