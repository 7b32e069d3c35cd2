"""A behaviour: something an object did that is worth telling."""

from dataclasses import dataclass
from typing import Any, Literal

BehaviourKind = Literal["entered_zone", "left_zone", "line_crossed", "loitering", "left_behind", "removed"]


@dataclass(frozen=True, slots=True)
class TrackBehaviour:
    kind: BehaviourKind
    at: float
    track_id: str
    label: str
    zone: str | None = None
    """The name of the zone or line."""
    direction: str | None = None
    """Of a crossing: to_right or to_left, as seen by somebody who walks along the line."""
    seconds: float | None = None
    """How long it stayed."""
    owner_track_id: str | None = None
    """Of an object left behind: the person who was beside it when it appeared."""

    def as_attributes(self) -> dict[str, Any]:
        """What a detection carries of it: without what is unknown."""
        values = {
            "kind": self.kind,
            "zone": self.zone,
            "direction": self.direction,
            "seconds": None if self.seconds is None else round(self.seconds, 1),
            "owner_track_id": self.owner_track_id,
        }
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class BehaviourSettings:
    loiter_labels: frozenset[str] = frozenset({"person"})
    carried_labels: frozenset[str] = frozenset({"backpack", "handbag", "suitcase", "bag", "package", "umbrella"})
    """Things that people carry, and may leave behind."""
    left_behind_after_s: float = 20.0
    """How long nobody has to be near it."""
    near: float = 1.0
    """A person is near within so many of their own heights."""
    warm_up_s: float = 10.0
    """What is there from the start is not left behind but belongs there."""
    reports_removed: bool = False
    removed_labels: frozenset[str] = frozenset({"backpack", "handbag", "suitcase", "bag", "package", "bicycle"})
    removed_after_s: float = 60.0
    """What stood so long and is gone was removed."""
