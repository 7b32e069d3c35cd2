"""A track: one object over time, as the tracker reports it."""

from dataclasses import dataclass
from typing import Protocol

from sightline.geometry import Box


class SeenObject(Protocol):
    """What the tracker needs to know of a detected object."""

    @property
    def label(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def box(self) -> Box: ...


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Where the object stood, in parts of the picture, and when."""

    x: float
    y: float
    at: float


@dataclass(frozen=True, slots=True)
class Track:
    """What is known of one object at the time of its last look."""

    track_id: str
    label: str
    """The label with the most votes; a single wrong look does not rename an object."""
    label_share: float
    """The part of all votes that the label has: 1 if every look agreed."""
    score: float
    """The score of the last look."""
    best_score: float
    first_seen: float
    last_seen: float
    box: Box
    """As the detector saw it last, not smoothed."""
    path: tuple[PathPoint, ...]
    """From where it came, thinned; the last point is the present one."""
    looks: int
    is_confirmed: bool
    is_stationary: bool
    direction: str | None
    """Where it moves in the picture: right, down_right, down, …; None while it stays where it is."""
    speed: float
    """In heights of the picture per second."""

    @property
    def seconds(self) -> float:
        return self.last_seen - self.first_seen
