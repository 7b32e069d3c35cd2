"""The fast path: which detections are assessed at once instead of in a batch. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.security.detections.detection import NewDetection
from sightline.security.object_types import WEAPON, WEAPONS, points_of
from sightline.security.settings import SecuritySettings

NO_RECENT_POINTS = 0


@dataclass(frozen=True, slots=True)
class FastPath:
    types: frozenset[str]
    confidence: float
    weapon_confidence: float

    @classmethod
    def from_settings(cls, settings: SecuritySettings) -> "FastPath":
        types = frozenset(settings.fast_path_types)
        return cls(
            types | WEAPONS if WEAPON in types else types,
            settings.fast_path_confidence,
            settings.fast_path_weapon_confidence,
        )

    def takes(self, detection: NewDetection, *, recent_points: int, is_early: bool = False) -> bool:
        """`recent_points` are those of the camera's last detection on the fast path, while its pause lasts.

        The pause keeps a person who stays in view from becoming an event each second. It never delays something more
        dangerous: a weapon does not wait because a person was seen before it. With `is_early`, the batch becomes an event at
        once anyway, and only a weapon has one of its own.
        """
        if detection.object_type not in self.types or points_of(detection.object_type) <= recent_points:
            return False
        is_weapon = detection.object_type in WEAPONS
        if is_early and not is_weapon:
            return False
        return detection.confidence >= (self.weapon_confidence if is_weapon else self.confidence)


def most_points(detections: Sequence[NewDetection]) -> int:
    return max((points_of(found.object_type) for found in detections), default=NO_RECENT_POINTS)
