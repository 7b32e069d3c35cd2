"""A camera and its zones, and how ids are written. Pure."""

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from sightline.errors import InvalidInput
from sightline.geometry import LineDirection, Point
from sightline.security.camera_shapes import ZoneKind

MAX_ID_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Camera:
    camera_id: str
    name: str
    owner_id: UUID
    owner_email: str | None
    team_id: UUID | None
    zone: str
    last_fast_path_at: datetime | None
    created_at: datetime
    last_fast_path_points: int = 0
    camera_key: UUID = field(default_factory=uuid4)
    """Names the camera inside; ids are per owner."""

    def local(self, moment: datetime) -> datetime:
        """What clocks beside the camera show."""
        return moment.astimezone(ZoneInfo(self.zone))


@dataclass(frozen=True, slots=True)
class CameraZone:
    zone_id: int
    camera_id: str
    name: str
    kind: ZoneKind
    polygon: tuple[Point, ...]
    """Of a line: its start and its end."""
    loiter_s: int | None = None
    direction: LineDirection | None = None
    """Which crossings of a line count; None for areas."""


def normalize_camera_id(text: str) -> str:
    """`Front Door` → `front_door`: letters without marks, digits, single underscores."""
    plain = unicodedata.normalize("NFKD", text)
    bare = "".join(character for character in plain if not unicodedata.combining(character))
    found = re.sub(r"[^a-z0-9]+", "_", bare.casefold()).strip("_")
    if not found or len(found) > MAX_ID_LENGTH:
        raise InvalidInput(f"{text[:80]!r} cannot be a camera id: 1 to {MAX_ID_LENGTH} letters and digits are needed")
    return found
