"""Things people carry: left behind when their person went away, removed when they were there long and are gone."""

from dataclasses import dataclass

from sightline.cameras.behaviours.behaviour import BehaviourSettings, TrackBehaviour
from sightline.geometry import Box, center_of
from sightline.vision import Track


@dataclass(slots=True)
class _Thing:
    label: str
    box: Box
    first_seen: float
    owner_track_id: str | None
    is_stationary: bool
    alone_since: float | None = None
    """Since when nobody is near; None while somebody is."""
    is_reported: bool = False


class CarriedWatch:
    def __init__(self, settings: BehaviourSettings) -> None:
        self._settings = settings
        self._people: dict[str, Box] = {}
        self._things: dict[str, _Thing] = {}
        self._started: float | None = None

    def see(self, track: Track, at: float) -> list[TrackBehaviour]:
        self._started = at if self._started is None else self._started
        if track.label == "person":
            self._people[track.track_id] = track.box
        elif track.label in self._settings.carried_labels:
            thing = self._things.get(track.track_id)
            if thing is None:
                thing = _Thing(track.label, track.box, track.first_seen, self._nearest(track.box), track.is_stationary)
                self._things[track.track_id] = thing
            thing.label, thing.box, thing.is_stationary = track.label, track.box, track.is_stationary
        return self.pass_time(at)

    def pass_time(self, at: float) -> list[TrackBehaviour]:
        return [
            behaviour
            for track_id, thing in self._things.items()
            for behaviour in self._left_behind(track_id, thing, at)
        ]

    def forget(self, track: Track, at: float) -> list[TrackBehaviour]:
        self._people.pop(track.track_id, None)
        self._things.pop(track.track_id, None)
        stood_s = track.last_seen - track.first_seen
        if (
            self._settings.reports_removed
            and track.is_stationary
            and track.label in self._settings.removed_labels
            and stood_s >= self._settings.removed_after_s
        ):
            return [TrackBehaviour("removed", at, track.track_id, track.label, seconds=stood_s)]
        return []

    def _left_behind(self, track_id: str, thing: _Thing, at: float) -> list[TrackBehaviour]:
        started = at if self._started is None else self._started
        is_new = thing.first_seen >= started + self._settings.warm_up_s or thing.owner_track_id is not None
        if thing.is_reported or not is_new:
            return []
        if not thing.is_stationary or self._nearest(thing.box) is not None:
            thing.alone_since = None
            return []
        thing.alone_since = at if thing.alone_since is None else thing.alone_since
        seconds = at - thing.alone_since
        if seconds < self._settings.left_behind_after_s:
            return []
        thing.is_reported = True
        return [
            TrackBehaviour(
                "left_behind", at, track_id, thing.label, seconds=seconds, owner_track_id=thing.owner_track_id
            )
        ]

    def _nearest(self, box: Box) -> str | None:
        """The closest person who is near."""
        distances = {track_id: _distance(person, box) for track_id, person in self._people.items()}
        near = {
            track_id: distance
            for track_id, distance in distances.items()
            if distance <= self._settings.near * self._people[track_id][3]
        }
        return min(near, key=near.__getitem__) if near else None


def _distance(person: Box, thing: Box) -> float:
    """From the edges of the person to the centre of the thing; 0 inside."""
    x, y = center_of(thing)
    aside = max(person[0] - x, 0.0, x - person[0] - person[2])
    above = max(person[1] - y, 0.0, y - person[1] - person[3])
    return float((aside**2 + above**2) ** 0.5)
