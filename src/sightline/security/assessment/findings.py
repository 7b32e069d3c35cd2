"""Findings of a batch: detections and their zones, the baseline, and the activity of other cameras. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sightline.security.camera import Camera, CameraZone, contains, foot_of
from sightline.security.detections.detection import Detection

BASELINE_DAYS = 28
DAYS_TO_KNOW = 7
USUAL_FROM = 0.5
RARE_BELOW = 0.1
CROSS_CAMERA_SPAN = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Baseline:
    """On how many of the days that the camera was watched, something like this was seen at about this hour."""

    object_type: str
    days_seen: int
    days_watched: int

    @property
    def share(self) -> float:
        return self.days_seen / self.days_watched if self.days_watched else 0.0

    @property
    def is_known(self) -> bool:
        return self.days_watched >= DAYS_TO_KNOW

    @property
    def is_usual(self) -> bool:
        return self.is_known and self.share >= USUAL_FROM

    @property
    def is_rare(self) -> bool:
        return self.is_known and self.share < RARE_BELOW


@dataclass(frozen=True, slots=True)
class OtherCameraActivity:
    """Detections of another camera of the same owner or team at about the same time."""

    camera_id: str
    object_type: str
    detections: int


def touched_zones(zones: Sequence[CameraZone], detections: Sequence[Detection]) -> list[CameraZone]:
    """The zones in which anything stood."""
    feet = [foot_of(found.box) for found in detections if found.box is not None]
    return [zone for zone in zones if any(contains(zone.polygon, foot) for foot in feet)]


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
        """How many of a kind were in one picture at the same moment: a lower bound of how many there are."""
        moments = Counter(found.detected_at for found in self.detections if found.object_type == object_type)
        return max(moments.values(), default=0)

    def touched_zones(self) -> list[CameraZone]:
        return touched_zones(self.zones, self.detections)

    def baseline_of(self, object_type: str) -> Baseline | None:
        return next((one for one in self.baselines if one.object_type == object_type), None)
