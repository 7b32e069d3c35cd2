"""Zones: who entered, who left, who stays too long."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.cameras.behaviours.behaviour import BehaviourSettings, TrackBehaviour
from sightline.cameras.shapes import Zone
from sightline.geometry import Point, contains

LOOKS_TO_CHANGE = 2
"""A foot on the border jitters, so that one look does not make an entry, nor an exit."""


@dataclass(slots=True)
class _Stay:
    looks_inside: int = 0
    looks_outside: int = 0
    since: float | None = None
    """When it entered; None while it is outside."""
    first_inside: float = 0.0
    has_loitered: bool = False


class ZoneWatch:
    def __init__(self, zones: Sequence[Zone], settings: BehaviourSettings) -> None:
        self._zones = zones
        self._settings = settings
        self._stays: dict[str, dict[str, _Stay]] = {}
        self._labels: dict[str, str] = {}

    def see(self, track_id: str, label: str, foot: Point, at: float) -> list[TrackBehaviour]:
        self._labels[track_id] = label
        stays = self._stays.setdefault(track_id, {})
        found: list[TrackBehaviour] = []
        for zone in self._zones:
            stay = stays.setdefault(zone.name, _Stay())
            if contains(zone.polygon, foot):
                found += self._inside(zone, stay, track_id, at)
            else:
                found += self._outside(zone, stay, track_id, at)
        return found

    def pass_time(self, track_id: str, at: float) -> list[TrackBehaviour]:
        """Loitering goes on while nothing moves and nobody looks."""
        stays = self._stays.get(track_id, {})
        return [
            behaviour
            for zone in self._zones
            if (stay := stays.get(zone.name)) is not None
            for behaviour in self._loitering(zone, stay, track_id, at)
        ]

    def forget(self, track_id: str, at: float) -> list[TrackBehaviour]:
        """Whose track ended has left."""
        stays = self._stays.pop(track_id, {})
        found = [
            TrackBehaviour("left_zone", at, track_id, self._labels[track_id], name, seconds=at - stay.since)
            for name, stay in stays.items()
            if stay.since is not None
        ]
        self._labels.pop(track_id, None)
        return found

    def _inside(self, zone: Zone, stay: _Stay, track_id: str, at: float) -> list[TrackBehaviour]:
        if stay.looks_inside == 0:
            stay.first_inside = at
        stay.looks_inside, stay.looks_outside = stay.looks_inside + 1, 0
        if stay.since is not None:
            return self._loitering(zone, stay, track_id, at)
        if stay.looks_inside < LOOKS_TO_CHANGE:
            return []
        stay.since = stay.first_inside
        entered = TrackBehaviour("entered_zone", at, track_id, self._labels[track_id], zone.name)
        return [entered, *self._loitering(zone, stay, track_id, at)]

    def _outside(self, zone: Zone, stay: _Stay, track_id: str, at: float) -> list[TrackBehaviour]:
        stay.looks_outside, stay.looks_inside = stay.looks_outside + 1, 0
        if stay.since is None or stay.looks_outside < LOOKS_TO_CHANGE:
            return []
        seconds, stay.since, stay.has_loitered = at - stay.since, None, False
        return [TrackBehaviour("left_zone", at, track_id, self._labels[track_id], zone.name, seconds=seconds)]

    def _loitering(self, zone: Zone, stay: _Stay, track_id: str, at: float) -> list[TrackBehaviour]:
        label = self._labels[track_id]
        if (
            zone.loiter_s is None
            or stay.since is None
            or stay.has_loitered
            or label not in self._settings.loiter_labels
        ):
            return []
        seconds = at - stay.since
        if seconds < zone.loiter_s:
            return []
        stay.has_loitered = True
        return [TrackBehaviour("loitering", at, track_id, label, zone.name, seconds=seconds)]
