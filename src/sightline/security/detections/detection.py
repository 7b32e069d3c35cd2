"""A detection: something that a detector saw in front of a camera."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID


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
