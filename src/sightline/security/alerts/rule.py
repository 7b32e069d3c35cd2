"""Alert rules: the conditions that an event has to meet, all of them. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Annotated, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from sightline.security.alerts.escalation import EscalationStep
from sightline.security.camera import normalize_camera_id
from sightline.security.detections.detection import Detection
from sightline.security.events.event import Event
from sightline.security.object_types import is_of

Severity = Literal["high", "critical"]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
DAYS: tuple[Day, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64)]
CameraId = Annotated[Word, AfterValidator(normalize_camera_id)]


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"there is no time zone {name!r}") from error
    return name


ZoneName = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_known_zone)]


class AlertHours(BaseModel):
    """When a rule watches. A span that ends before it starts goes over midnight and belongs to the day on which it starts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    days: tuple[Day, ...] = Field(DAYS, min_length=1)
    start: time = time(0, 0)
    end: time = time(0, 0)
    """The same as `start`: the whole day."""
    zone: ZoneName = "UTC"

    def covers(self, moment: datetime) -> bool:
        local = moment.astimezone(ZoneInfo(self.zone))
        today, yesterday = DAYS[local.weekday()], DAYS[local.weekday() - 1]
        clock = local.time().replace(tzinfo=None)
        if self.start < self.end:
            return today in self.days and self.start <= clock < self.end
        return (today in self.days and clock >= self.start) or (yesterday in self.days and clock < self.end)

    def end_after(self, moment: datetime) -> datetime:
        """When the hours that cover a moment end; a week later if they never do."""
        zone = ZoneInfo(self.zone)
        local = moment.astimezone(zone)
        for days in range(8):
            end = datetime.combine(local.date() + timedelta(days=days), self.end, tzinfo=zone)
            if end > moment and not self.covers(end):
                return end
        return moment + timedelta(days=7)


class Conditions(BaseModel):
    """A condition that is left out is not checked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    risk_threshold: int | None = Field(None, ge=0, le=100, examples=[70], description="This score or more.")
    object_types: tuple[Word, ...] = Field(
        (),
        max_length=50,
        examples=[["person"]],
        description="One of these was seen. vehicle, animal, bag and weapon stand for all of their kind.",
    )
    camera_ids: tuple[CameraId, ...] = Field((), max_length=200, examples=[["front_door"]])
    zones: tuple[Word, ...] = Field((), max_length=50, examples=[["Porch"]], description="Names of zones.")
    behaviours: tuple[Word, ...] = Field(
        (),
        max_length=20,
        examples=[["loitering"]],
        description="One of these was observed: entered_zone, line_crossed, loitering, left_behind.",
    )
    min_confidence: float | None = Field(
        None, ge=0, le=1, examples=[0.8], description="Some detection is as sure as this."
    )
    schedule: AlertHours | None = Field(
        None,
        examples=[{"days": ["sat", "sun"], "start": "22:00", "end": "06:00", "zone": "Europe/Berlin"}],
        description="Only then, by the event's start.",
    )


@dataclass(frozen=True, slots=True)
class AlertRule:
    rule_id: int
    owner_id: UUID
    owner_email: str | None
    team_id: UUID | None
    name: str
    is_enabled: bool
    severity: Severity
    conditions: Conditions
    cooldown_s: int
    escalate_after_s: int | None
    created_at: datetime
    escalation: tuple[EscalationStep, ...] = ()
    quiet_hours: AlertHours | None = None
    quiet_lets_critical: bool = True
    snoozed_until: datetime | None = None
    is_paused: bool = False
    """The rule's owner no longer belongs to the team that it watches; it still watches the owner's own cameras."""

    def key(self, event: Event) -> str:
        """The key by which repeated alerts of a camera are recognized; others' cameras may have the same id."""
        camera = event.camera_id if event.owner_id == self.owner_id else f"{event.owner_id}/{event.camera_id}"
        return f"{camera}:{self.rule_id}"


def quiet_until(hours: AlertHours | None, *, lets_critical: bool, is_critical: bool, now: datetime) -> datetime | None:
    """When notifications are sent again; None if they are sent now."""
    if hours is None or (is_critical and lets_critical) or not hours.covers(now):
        return None
    return hours.end_after(now)


@dataclass(frozen=True, slots=True)
class EventWithDetections:
    """An event with the detections and zones that rules check."""

    event: Event
    detections: Sequence[Detection]
    zones: Collection[str]
    """Names of the zones in which anything stood."""


def unmet_conditions(conditions: Conditions, seen: EventWithDetections) -> list[str]:
    """The conditions that the event does not meet, by name; none are left when the rule matches."""
    event = seen.event
    # Type and confidence are checked on the same detection: a certain dog does not make an uncertain person certain.
    of_these_types = [found for found in seen.detections if _is_of(conditions.object_types, found.object_type)]
    checks = {
        "risk_threshold": conditions.risk_threshold is None or event.risk_score >= conditions.risk_threshold,
        "object_types": not conditions.object_types
        or any(_is_of(conditions.object_types, kind) for kind in event.object_types),
        "camera_ids": not conditions.camera_ids or event.camera_id in conditions.camera_ids,
        "zones": not conditions.zones or bool(_folded(conditions.zones) & _folded(seen.zones)),
        "behaviours": not conditions.behaviours or bool(_folded(conditions.behaviours) & _folded(event.behaviours)),
        "min_confidence": conditions.min_confidence is None
        or any(found.confidence >= conditions.min_confidence for found in of_these_types),
        "schedule": conditions.schedule is None or conditions.schedule.covers(event.started_at),
    }
    return [name for name, is_met in checks.items() if not is_met]


def _is_of(kinds: Collection[str], kind: str) -> bool:
    return not kinds or any(is_of(one, kind) for one in kinds)


def _folded(words: Collection[str]) -> set[str]:
    return {word.casefold() for word in words}
