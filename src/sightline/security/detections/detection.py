"""A detection: something that a detector saw in front of a camera."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sightline.security.detections.tracks import track_id_of


@dataclass(frozen=True, slots=True)
class NewDetection:
    camera_key: UUID
    camera_id: str
    object_type: str
    confidence: float
    detected_at: datetime
    box: tuple[float, float, float, float] | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    source_id: str | None = None
    image_key: str | None = None
    is_posted: bool = False
    """Reported by a foreign detector over the API, and not by the platform's own look at a camera."""

    @property
    def track_id(self) -> str | None:
        return track_id_of(self.attributes)


@dataclass(frozen=True, slots=True)
class Detection:
    id: int
    batch_id: str
    camera_id: str
    object_type: str
    confidence: float
    detected_at: datetime
    box: Sequence[float] | None
    image_key: str | None
    attributes: Mapping[str, Any]
    source_id: str | None

    @property
    def track_id(self) -> str | None:
        return track_id_of(self.attributes)

    @property
    def area(self) -> float:
        """Share of the picture that its box covers; 0 without a box."""
        return self.box[2] * self.box[3] if self.box is not None else 0.0
