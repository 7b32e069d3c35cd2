"""Findings of a batch: detections and their zones, the baseline, and the activity of other cameras. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import sqrt

from sightline.geometry import contains, foot_of
from sightline.security.activity import Baseline, OtherCameraActivity
from sightline.security.camera import Camera, CameraZone
from sightline.security.detections.detection import Detection
from sightline.security.detections.tracks import Behaviour, behaviours_of, direction_of

CROSS_CAMERA_SPAN = timedelta(minutes=5)
AREA_KINDS = frozenset({"entry", "restricted", "public", "other"})
"""Kinds of zones that things stand in; lines are crossed, and nothing is looked for in masks."""


def touched_zones(zones: Sequence[CameraZone], detections: Sequence[Detection]) -> list[CameraZone]:
    """The zones in which anything stood."""
    feet = [foot_of(found.box) for found in detections if found.box is not None]
    return [zone for zone in zones if zone.kind in AREA_KINDS and any(contains(zone.polygon, foot) for foot in feet)]


@dataclass(frozen=True, slots=True)
class Findings:
    batch_id: str
    camera: Camera
    detections: Sequence[Detection]
    started_at: datetime
    ended_at: datetime
    zones: Sequence[CameraZone] = ()
    baselines: Sequence[Baseline] = ()
    elsewhere: Sequence[OtherCameraActivity] = ()
    notes: Sequence[str] = field(default=())
    """What enrichment added: plates, faces, words."""

    @property
    def counts(self) -> Counter[str]:
        return Counter(detection.object_type for detection in self.detections)

    @property
    def best_confidence(self) -> float:
        return max((detection.confidence for detection in self.detections), default=0.0)

    def at_once(self, object_type: str) -> int:
        """How many of a kind were there at the same moment, in one picture or by their tracks: a lower bound."""
        found = [one for one in self.detections if one.object_type == object_type]
        moments = Counter(one.detected_at for one in found if one.track_id is None)
        return max(max(moments.values(), default=0), _overlapping(self._tracks(object_type)))

    def longest_stay_s(self, object_type: str) -> float:
        """How long one object of a kind was seen; without tracks, how long the batch lasted."""
        tracks = self._tracks(object_type)
        if len(tracks) < len({one.track_id for one in self.detections if one.object_type == object_type}):
            return (self.ended_at - self.started_at).total_seconds()
        return max(((last - first).total_seconds() for first, last in tracks), default=0.0)

    def behaviours(self) -> list[Behaviour]:
        """What tracks did, in the order in which they did it, each once."""
        found: dict[tuple[str, str | None], Behaviour] = {}
        for one in self.detections:
            for behaviour in behaviours_of(one.attributes):
                found[behaviour.kind, behaviour.name] = behaviour
        return list(found.values())

    def direction_of(self, object_type: str) -> str | None:
        """Where the last track of a kind went."""
        said = (direction_of(one.attributes) for one in reversed(self.detections) if one.object_type == object_type)
        return next((direction for direction in said if direction is not None), None)

    @property
    def best_picture(self) -> Detection | None:
        """The detection with the best picture: certain and large."""
        pictured = [one for one in self.detections if one.image_key is not None]
        return max(pictured, key=lambda one: one.confidence + sqrt(one.area) / 2, default=None)

    def _tracks(self, object_type: str) -> list[tuple[datetime, datetime]]:
        """When each track of a kind was seen first and last."""
        spans: dict[str, tuple[datetime, datetime]] = {}
        for one in self.detections:
            if one.object_type == object_type and one.track_id is not None:
                first, last = spans.get(one.track_id, (one.detected_at, one.detected_at))
                spans[one.track_id] = (min(first, one.detected_at), max(last, one.detected_at))
        return list(spans.values())

    def touched_zones(self) -> list[CameraZone]:
        return touched_zones(self.zones, self.detections)

    def baseline_of(self, object_type: str) -> Baseline | None:
        return next((one for one in self.baselines if one.object_type == object_type), None)


def _overlapping(spans: Sequence[tuple[datetime, datetime]]) -> int:
    """The largest number of spans that share a moment."""
    return max((sum(first <= start <= last for first, last in spans) for start, _ in spans), default=0)
