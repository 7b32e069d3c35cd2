"""The behaviours of all objects of one camera."""

from collections.abc import Sequence

from sightline.cameras.behaviours.behaviour import BehaviourSettings, TrackBehaviour
from sightline.cameras.behaviours.carried import CarriedWatch
from sightline.cameras.behaviours.lines import LineWatch
from sightline.cameras.behaviours.zones import ZoneWatch
from sightline.cameras.shapes import Line, Zone
from sightline.geometry import foot_of
from sightline.vision import Track


class Behaviours:
    """Watches zones and lines. What an object did before it was confirmed is reported when it is.

    `see` is called for every track that the tracker reports, `pass_time` every few seconds also while nobody looks, and `end` for
    every track that ended.
    """

    def __init__(
        self, zones: Sequence[Zone] = (), lines: Sequence[Line] = (), settings: BehaviourSettings | None = None
    ) -> None:
        settings = settings or BehaviourSettings()
        self._zones = ZoneWatch(zones, settings)
        self._lines = LineWatch(lines)
        self._carried = CarriedWatch(settings)
        self._unconfirmed: dict[str, list[TrackBehaviour]] = {}
        self._confirmed: set[str] = set()

    def see(self, track: Track, at: float) -> list[TrackBehaviour]:
        foot = foot_of(track.box)
        found = self._zones.see(track.track_id, track.label, foot, at)
        found += self._lines.see(track.track_id, track.label, foot, track.box[2], at)
        if not track.is_confirmed:
            self._unconfirmed.setdefault(track.track_id, []).extend(found)
            return []
        self._confirmed.add(track.track_id)
        return [*self._unconfirmed.pop(track.track_id, []), *found, *self._carried.see(track, at)]

    def pass_time(self, at: float) -> list[TrackBehaviour]:
        """What follows from time alone: loitering and things left behind."""
        stays = [behaviour for track_id in self._confirmed for behaviour in self._zones.pass_time(track_id, at)]
        return [*stays, *self._carried.pass_time(at)]

    def end(self, track: Track, at: float) -> list[TrackBehaviour]:
        """The track ended; it is forgotten."""
        self._unconfirmed.pop(track.track_id, None)
        self._lines.forget(track.track_id)
        left = self._zones.forget(track.track_id, at)
        removed = self._carried.forget(track, at)
        if track.track_id not in self._confirmed:
            return []
        self._confirmed.discard(track.track_id)
        return [*left, *removed]
