"""Tracks in the attributes of detections: which object a sighting is of, and what it did. Pure.

A camera that the platform watches names its tracks: `track_id`, `behaviours`, `direction`. Attributes are data of detectors, so
whatever does not have the expected form is left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MAX_TRACK_ID_LENGTH = 100
MAX_NAME_LENGTH = 64
MAX_BEHAVIOURS = 20


HARMLESS_KINDS = frozenset({"left_zone"})
"""Behaviours that are no reason for another event after the first was resolved."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Something that a track did, with the zone or line and the direction if they are known."""

    kind: str
    name: str | None = None
    direction: str | None = None
    seconds: float | None = None

    @property
    def words(self) -> str:
        where = f" {self.name}" if self.name else ""
        match self.kind:
            case "entered_zone":
                return f"entered{where or ' a zone'}"
            case "line_crossed":
                way = f" ({self.direction.replace('_', ' ')})" if self.direction else ""
                return f"crossed the line{where}{way}"
            case "loitering":
                stayed = f" for {self.seconds:.0f} s" if self.seconds else ""
                return "loitered" + (f" in{where}" if where else "") + stayed
            case "left_behind":
                return "left behind" + (f" in{where}" if where else "")
            case "left_zone":
                return f"left{where or ' a zone'}"
            case "removed":
                return "taken away" + (f" from{where}" if where else "")
        return self.kind.replace("_", " ") + where


def track_id_of(attributes: Mapping[str, Any]) -> str | None:
    found = attributes.get("track_id")
    return found if isinstance(found, str) and 0 < len(found) <= MAX_TRACK_ID_LENGTH else None


def direction_of(attributes: Mapping[str, Any]) -> str | None:
    return _text(attributes.get("direction"))


def behaviours_of(attributes: Mapping[str, Any]) -> Iterator[Behaviour]:
    """Each as text, the kind, or as an object with `kind` and whatever else is known."""
    found = attributes.get("behaviours")
    for one in found[:MAX_BEHAVIOURS] if isinstance(found, list | tuple) else ():
        if isinstance(one, str) and (kind := _text(one)):
            yield Behaviour(kind)
        elif isinstance(one, Mapping) and (kind := _text(one.get("kind"))):
            name = _text(one.get("name")) or _text(one.get("zone")) or _text(one.get("line"))
            yield Behaviour(kind, name, _text(one.get("direction")), _seconds(one.get("seconds")))


def _text(value: Any) -> str | None:
    return value[:MAX_NAME_LENGTH] if isinstance(value, str) and value else None


def _seconds(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < value < 1e6 else None
