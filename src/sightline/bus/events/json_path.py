"""JSON paths as far as EventBridge knows them: `$.detail.items[0].id`, `$['detail-type']`, `$.resources[*]`. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sightline.bus.limits import BusRefusal

MAX_LENGTH = 256
_STEP = re.compile(r"\.([A-Za-z0-9_\-]+|\*)|\[(?:(\d{1,6})|(\*)|'([^'\]]*)'|\"([^\"\]]*)\")\]")

Step = str | int | None
"""A name, an index, or None for every member."""


class NothingThere(Exception):
    """The document has no value at the path."""


@lru_cache(maxsize=4096)
def parse_path(path: str) -> tuple[Step, ...]:
    if not path.startswith("$") or len(path) > MAX_LENGTH:
        raise invalid_path()
    steps: list[Step] = []
    at = 1
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None:
            raise invalid_path()
        name, index, star, quoted, double_quoted = found.groups()
        if star or name == "*":
            steps.append(None)
        elif index is not None:
            steps.append(int(index))
        else:
            steps.append(next(one for one in (name, quoted, double_quoted) if one is not None))
        at = found.end()
    return tuple(steps)


def invalid_path() -> BusRefusal:
    return BusRefusal("Parameter InputPath is not valid. Reason: Invalid JsonPath.", "ValidationException")


def value_at(document: Any, path: str) -> Any:
    """The value, a list of values where the path has a star, or `NothingThere`."""
    return _follow(document, parse_path(path))


def _follow(value: Any, steps: Sequence[Step]) -> Any:
    for position, step in enumerate(steps):
        match value, step:
            case Mapping() | list(), None:
                members = list(value.values() if isinstance(value, Mapping) else value)
                return [found for one in members for found in _present(one, steps[position + 1 :])]
            case Mapping(), str() if step in value:
                value = value[step]
            case list(), int() if step < len(value):
                value = value[step]
            case _:
                raise NothingThere
    return value


def _present(value: Any, steps: Sequence[Step]) -> list[Any]:
    try:
        return [_follow(value, steps)]
    except NothingThere:
        return []
