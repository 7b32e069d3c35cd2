"""The tracker: one per camera or video."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from sightline.vision.tracking.live_track import LiveTrack, Look
from sightline.vision.tracking.matching import match, merged_looks
from sightline.vision.tracking.track import SeenObject, Track


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    start_score: float = 0.4
    """A look below this score continues a track and never begins one."""
    confirm_looks: int = 3
    max_doubt: float = 0.01
    """Two looks are enough if it is as unlikely as this that both are wrong: two of 0.9, or one of 0.75 and one of 0.96."""
    occlusion_s: float = 4.0
    """A confirmed object may be hidden for so long and is still the same."""
    stationary_occlusion_s: float = 30.0
    """So long if it stands: a parked car behind a passing lorry."""
    unconfirmed_s: float = 1.0
    """An object that is not confirmed yet may be missed for so long."""
    unlooked_s: float = 30.0
    """A track ends after this time without any look, since nothing moved that could have led to one."""
    stationary_unlooked_s: float = 900.0
    stationary_after_s: float = 8.0


MISSES_TO_END = 3
"""However long looks take, one or two of them may miss an object."""


class Tracker:
    """Joins seen objects to tracks. `at` is in seconds of any clock that goes forwards; if it goes backwards, all tracks end.

    Every look has to be reported, also one that found nothing. Looks may be left out while nothing moves.
    """

    def __init__(
        self,
        settings: TrackingSettings | None = None,
        *,
        aspect: float = 16 / 9,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        self._settings = settings or TrackingSettings()
        self._aspect = aspect
        self._new_id = new_id or (lambda: str(uuid4()))
        self._live: list[LiveTrack] = []
        self._ended: list[LiveTrack] = []
        self._at: float | None = None

    def update(self, at: float, objects: Sequence[SeenObject]) -> list[Track]:
        """The tracks that this look saw or began."""
        if self._at is not None and at < self._at:
            self._end_all()
        self._at = at
        self._end_overdue(at)
        looks = merged_looks(objects, self._aspect)
        strong = [look for look in looks if look.score >= self._settings.start_score]
        weak = [look for look in looks if look.score < self._settings.start_score]
        confirmed = [track for track in self._live if self._is_confirmed(track)]
        tentative = [track for track in self._live if not self._is_confirmed(track)]

        seen = self._see(at, confirmed, strong)
        seen += self._see(at, [track for track in confirmed if track not in seen], weak, is_weak=True)
        seen += self._see(at, tentative, strong)
        seen += self._see(at, [track for track in tentative if track not in seen], weak, is_weak=True)
        seen += [self._begin(at, look) for look in strong]
        for track in self._live:
            if track not in seen:
                track.missed_looks += 1
        self._end_overdue(at)
        return [self._snapshot(track) for track in seen]

    def ended(self, at: float) -> list[Track]:
        """Tracks that ended since the last call, confirmed or not."""
        if self._at is None or at >= self._at:
            self._end_overdue(at)
        ended, self._ended = self._ended, []
        return [self._snapshot(track) for track in ended]

    def finish(self) -> list[Track]:
        """Ends every track, as at the end of a video."""
        self._end_all()
        return self.ended(self._at or 0.0)

    @property
    def live(self) -> list[Track]:
        return [self._snapshot(track) for track in self._live]

    def _see(
        self, at: float, tracks: Sequence[LiveTrack], looks: list[Look], *, is_weak: bool = False
    ) -> list[LiveTrack]:
        """Gives looks to tracks; what is given is removed from the looks."""
        pairs = match(tracks, looks, at, is_weak=is_weak) if tracks and looks else []
        for track, look in pairs:
            track.see(at, look)
            looks.remove(look)
        return [track for track, _ in pairs]

    def _begin(self, at: float, look: Look) -> LiveTrack:
        track = LiveTrack(self._new_id(), at, look, stationary_after_s=self._settings.stationary_after_s)
        self._live.append(track)
        return track

    def _is_confirmed(self, track: LiveTrack) -> bool:
        return track.looks >= self._settings.confirm_looks or track.doubt <= self._settings.max_doubt

    def _end_overdue(self, at: float) -> None:
        overdue = [track for track in self._live if self._is_overdue(track, at)]
        if overdue:
            self._ended += overdue
            self._live = [track for track in self._live if track not in overdue]

    def _is_overdue(self, track: LiveTrack, at: float) -> bool:
        settings, unseen_s = self._settings, at - track.last_seen
        if unseen_s > (settings.stationary_unlooked_s if track.is_stationary else settings.unlooked_s):
            return True
        if not self._is_confirmed(track):
            return track.missed_looks >= 2 and unseen_s > settings.unconfirmed_s
        hidden_s = settings.stationary_occlusion_s if track.is_stationary else settings.occlusion_s
        return track.missed_looks >= MISSES_TO_END and unseen_s > hidden_s

    def _end_all(self) -> None:
        self._ended += self._live
        self._live = []

    def _snapshot(self, track: LiveTrack) -> Track:
        return track.snapshot(is_confirmed=self._is_confirmed(track))
