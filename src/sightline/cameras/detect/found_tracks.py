"""What was found in a video: each object with its boxes, its behaviours and the moment at which it is seen best."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sightline.cameras.behaviours import TrackBehaviour
from sightline.cameras.detect.track_boxes import TimedBox
from sightline.geometry import foot_of
from sightline.vision import Track

BETTER_BY = 1.25
"""A picture is taken again when it is so many times better than the last one."""
MOVED_SHARE = 0.3
"""An object that ends so many of its heights or widths away from where it began has moved."""


@dataclass(slots=True)
class FoundTrack:
    track: Track
    boxes: list[TimedBox] = field(default_factory=list)
    behaviours: list[TrackBehaviour] = field(default_factory=list)
    best_ms: int = 0
    quality: float = 0.0

    def see(self, track: Track, at_ms: int) -> bool:
        """Adds a look. Returns whether its picture should be kept."""
        self.track = track
        self.boxes.append((at_ms, track.box))
        quality = track.score * (track.box[2] * track.box[3]) ** 0.5
        if quality < BETTER_BY * self.quality:
            return False
        self.quality, self.best_ms = quality, at_ms
        return True

    @property
    def is_worth_reporting(self) -> bool:
        """Whether it moved or did something; a parked car did neither."""
        return bool(self.behaviours) or self.has_moved

    @property
    def has_moved(self) -> bool:
        x, y = foot_of(self.track.box)
        return any(
            abs(x - point.x) > MOVED_SHARE * self.track.box[2] or abs(y - point.y) > MOVED_SHARE * self.track.box[3]
            for point in self.track.path
        )


class FoundTracks:
    """All tracks of a video; those that were never confirmed are forgotten."""

    def __init__(self) -> None:
        self._tracks: dict[str, FoundTrack] = {}
        self._ended: set[str] = set()

    def see(self, track: Track, at_ms: int) -> bool:
        if track.track_id not in self._tracks:
            self._tracks[track.track_id] = FoundTrack(track)
        return self._tracks[track.track_id].see(track, at_ms)

    def behave(self, behaviours: Sequence[TrackBehaviour]) -> None:
        for behaviour in behaviours:
            if behaviour.track_id in self._tracks:
                self._tracks[behaviour.track_id].behaviours.append(behaviour)

    def end(self, track: Track) -> bool:
        """Returns whether the track is kept."""
        if track.is_confirmed:
            self._ended.add(track.track_id)
            return True
        self._tracks.pop(track.track_id, None)
        return False

    def take_ended(self) -> list[FoundTrack]:
        """Those that have ended, in the order of time; they are forgotten."""
        ended, self._ended = self._ended, set()
        return _by_time([self._tracks.pop(track_id) for track_id in ended if track_id in self._tracks])

    @property
    def followed(self) -> list[FoundTrack]:
        return [one for track_id, one in self._tracks.items() if track_id not in self._ended]

    @property
    def in_order(self) -> list[FoundTrack]:
        return _by_time(self._tracks.values())


def _by_time(tracks: Iterable[FoundTrack]) -> list[FoundTrack]:
    return sorted(tracks, key=lambda one: (one.boxes[0][0], one.track.track_id))
