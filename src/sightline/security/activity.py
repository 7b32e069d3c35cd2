"""Activity of cameras: what is usual at one, and what others saw at about the same time. Pure."""

from dataclasses import dataclass
from datetime import datetime

from sightline.security.durations import duration_words

BASELINE_DAYS = 28
DAYS_TO_KNOW = 7
USUAL_FROM = 0.5
RARE_BELOW = 0.1


@dataclass(frozen=True, slots=True)
class Baseline:
    """On how many of the days that the camera was watched, something like this was seen at about this hour."""

    object_type: str
    days_seen: int
    days_watched: int
    visits: int = 0
    """How many times, over all of these days."""

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

    @property
    def words(self) -> str:
        times = "once" if self.visits == 1 else f"{self.visits} times"
        return f"seen {times} in {BASELINE_DAYS} days at this hour" if self.visits else "never seen here at this hour"


@dataclass(frozen=True, slots=True)
class OtherCameraActivity:
    """Detections of another camera of the same owner or team at about the same time."""

    camera_id: str
    object_type: str
    detections: int
    name: str | None = None
    nearest_at: datetime | None = None
    """The sighting that is closest in time."""

    def words(self, at: datetime) -> str:
        """`Driveway 40 s before`."""
        name = self.name or self.camera_id
        if self.nearest_at is None:
            return name
        seconds = round((self.nearest_at - at).total_seconds())
        if seconds == 0:
            return f"{name} at the same time"
        return f"{name} {duration_words(abs(seconds))} {'after' if seconds > 0 else 'before'}"
