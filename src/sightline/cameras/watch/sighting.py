"""Sightings: what a watched camera reports, and when. Pure."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.cameras.behaviours import TrackBehaviour
from sightline.geometry import Box, foot_of, shared_area
from sightline.vision import Track

MOVED_SHARE = 0.15
"""An object that moved by so much of its own size has moved."""
TOUCHED_SHARE = 0.3
"""An object of which so much lies where something moves, moves itself, though it may stay in its place."""
TOUCHED_LOOKS = 2


@dataclass(frozen=True, slots=True)
class CameraSighting:
    camera_key: UUID
    camera_id: str
    label: str
    score: float
    at: datetime
    box: Box
    track_id: str
    number: int
    """Counts the sightings of a track, so that a repeated report is the same one."""
    picture: bytes | None
    """JPEG."""
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def source_id(self) -> str:
        return f"{self.track_id}:{self.number}"


Report = Callable[[Sequence[CameraSighting]], Awaitable[None]]
"""Takes sightings over for good; raises if it cannot. Repeated sightings change nothing."""


@dataclass(frozen=True, slots=True)
class ReportSettings:
    every_s: float = 10.0
    """How often a track that moves is reported again."""
    better_by: float = 1.6
    """A picture that is so many times better is reported too."""
    better_every_s: float = 2.0


@dataclass(slots=True)
class _Reported:
    touched: int = 0
    number: int = 0
    at: float = 0.0
    quality: float = 0.0


class SightingPolicy:
    """Decides for each look at a track whether it is reported. One per camera."""

    def __init__(self, settings: ReportSettings | None = None) -> None:
        self._settings = settings or ReportSettings()
        self._tracks: dict[str, _Reported] = {}

    def see(self, track: Track, behaviours: Sequence[TrackBehaviour], regions: Sequence[Box], at: float) -> int | None:
        """The number of the sighting to report; None for none. What never moved, such as a parked car, is not reported."""
        known = self._tracks.setdefault(track.track_id, _Reported())
        if is_touched(track.box, regions):
            known.touched += 1
        if not track.is_confirmed:
            return None
        quality = track.score * (track.box[2] * track.box[3]) ** 0.5
        if known.number == 0:
            if not (behaviours or has_moved(track) or known.touched >= TOUCHED_LOOKS):
                return None
        elif not behaviours and not self._is_due(known, track, quality, at):
            return None
        known.number += 1
        known.at, known.quality = at, max(known.quality, quality)
        return known.number

    def is_reported(self, track_id: str) -> bool:
        known = self._tracks.get(track_id)
        return known is not None and known.number > 0

    def act(self, track_id: str, at: float) -> int | None:
        """Something that follows from time alone, such as loitering."""
        known = self._tracks.get(track_id)
        if known is None or known.number == 0:
            return None
        known.number += 1
        known.at = at
        return known.number

    def end(self, track: Track) -> int | None:
        known = self._tracks.pop(track.track_id, None)
        return None if known is None or known.number == 0 else known.number + 1

    def _is_due(self, known: _Reported, track: Track, quality: float, at: float) -> bool:
        settings = self._settings
        if at - known.at >= settings.every_s and not track.is_stationary:
            return True
        return quality >= settings.better_by * known.quality and at - known.at >= settings.better_every_s


def is_touched(box: Box, regions: Sequence[Box]) -> bool:
    area = box[2] * box[3]
    return area > 0 and sum(shared_area(box, region) for region in regions) >= TOUCHED_SHARE * area


def has_moved(track: Track) -> bool:
    """Whether it is elsewhere than where it was first seen, by more than a detector's boxes tremble."""
    if len(track.path) < 2:
        return False
    x, y = foot_of(track.box)
    first = track.path[0]
    return abs(x - first.x) > MOVED_SHARE * track.box[2] or abs(y - first.y) > MOVED_SHARE * track.box[3]


def attributes_of(track: Track, behaviours: Sequence[TrackBehaviour], *, models: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "track_id": track.track_id,
        "behaviours": [behaviour.as_attributes() for behaviour in behaviours],
        "path": [[round(point.x, 4), round(point.y, 4)] for point in track.path],
        "seconds": round(track.seconds, 1),
    }
    if track.direction is not None:
        found["direction"] = track.direction
    if models:
        found["model"] = "+".join(models)
    return found
