"""A camera and its zones: how ids are written, and what lies inside a polygon. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from sightline.errors import InvalidInput

MAX_ID_LENGTH = 64

Point = tuple[float, float]
ZoneKind = Literal["entry", "restricted", "public", "other"]


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


def normalize_camera_id(text: str) -> str:
    """`Front Door` → `front_door`: letters without marks, digits, single underscores."""
    plain = unicodedata.normalize("NFKD", text)
    bare = "".join(character for character in plain if not unicodedata.combining(character))
    found = re.sub(r"[^a-z0-9]+", "_", bare.casefold()).strip("_")
    if not found or len(found) > MAX_ID_LENGTH:
        raise InvalidInput(f"{text[:80]!r} cannot be a camera id: 1 to {MAX_ID_LENGTH} letters and digits are needed")
    return found


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """Even-odd: a ray to the right crosses the border an odd number of times. Points on the border may go either way."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def foot_of(box: Sequence[float]) -> Point:
    """Where an object stands: the middle of the lower edge of its box, which is closer to the ground than the centre."""
    x, y, width, height = box
    return x + width / 2, y + height
