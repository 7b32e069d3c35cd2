"""A security event as it is kept, and what the live feed says of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sightline.contracts.security_events import RiskLevel
from sightline.live import LiveMessage
from sightline.security.assessment.assessor import Assessor
from sightline.security.assessment.risk import requires_ack
from sightline.timing import iso_utc

EventState = Literal["created", "broadcasted", "acknowledged", "resolved", "archived"]
STATES: tuple[EventState, ...] = ("created", "broadcasted", "acknowledged", "resolved", "archived")


@dataclass(frozen=True, slots=True)
class Event:
    id: int
    batch_id: str
    camera_id: str
    owner_id: UUID
    team_id: UUID | None
    risk_score: int
    risk_level: RiskLevel
    summary: str
    reasoning: str
    assessor: Assessor
    model: str | None
    object_types: Sequence[str]
    started_at: datetime
    ended_at: datetime | None
    created_at: datetime
    sequence: int | None
    broadcasted_at: datetime | None
    acknowledged_at: datetime | None
    acknowledged_by: str | None
    resolved_at: datetime | None
    resolved_by: str | None
    resolution_notes: str | None
    version: int
    state: EventState
    archived_at: datetime | None = None
    zones: Sequence[str] = ()
    behaviours: Sequence[str] = ()
    notes: Sequence[str] = ()
    picture_key: str | None = None
    video_id: UUID | None = None
    video_ms: int | None = None
    assigned_to: UUID | None = None
    assignee: str | None = None
    snoozed_until: datetime | None = None

    @property
    def is_refinable(self) -> bool:
        """Whether a model may still refine the rules' assessment."""
        return self.assessor == "rules" and self.resolved_at is None and self.archived_at is None


def created_message(event: Event) -> LiveMessage:
    """Document 003's message, field by field."""
    data: dict[str, Any] = {
        "id": event.id,
        "event_id": event.id,
        "batch_id": event.batch_id,
        "camera_id": event.camera_id,
        "risk_score": event.risk_score,
        "risk_level": event.risk_level,
        "summary": event.summary,
        "reasoning": event.reasoning,
        "started_at": iso_utc(event.started_at),
    }
    return _message(event, "event", data, needs_ack=requires_ack({"type": "event", "data": data}))


def updated_message(event: Event) -> LiveMessage:
    """A new version of an event: further sightings belong to it, or a model has refined its risk."""
    data = {
        **_which(event),
        "batch_id": event.batch_id,
        "summary": event.summary,
        "reasoning": event.reasoning,
        "assessor": event.assessor,
        "object_types": list(event.object_types),
        "zones": list(event.zones),
        "behaviours": list(event.behaviours),
        "started_at": iso_utc(event.started_at),
        "ended_at": None if event.ended_at is None else iso_utc(event.ended_at),
    }
    return _message(event, "event.updated", data)


def acknowledged_message(event: Event) -> LiveMessage:
    assert event.acknowledged_at is not None
    data = {
        **_which(event),
        "acknowledged_at": iso_utc(event.acknowledged_at),
        "acknowledged_by": event.acknowledged_by,
    }
    return _message(event, "event.acknowledged", data)


def resolved_message(event: Event) -> LiveMessage:
    assert event.resolved_at is not None
    data = {
        **_which(event),
        "resolved_at": iso_utc(event.resolved_at),
        "resolved_by": event.resolved_by,
        "resolution_notes": event.resolution_notes,
    }
    return _message(event, "event.resolved", data)


def reopened_message(event: Event) -> LiveMessage:
    return _message(event, "event.reopened", _which(event))


def assigned_message(event: Event) -> LiveMessage:
    return _message(event, "event.assigned", {**_which(event), "assignee": event.assignee})


def snoozed_message(event: Event) -> LiveMessage:
    until = None if event.snoozed_until is None else iso_utc(event.snoozed_until)
    return _message(event, "event.snoozed", {**_which(event), "snoozed_until": until})


def commented_message(event: Event, change: str, comment_id: int, comment_count: int) -> LiveMessage:
    """`change` is commented, comment_edited or comment_deleted. The text is read with the comments."""
    data = {**_which(event), "change": change, "comment_id": comment_id, "comment_count": comment_count}
    return _message(event, "event.commented", data)


def resolution_added_message(event: Event) -> LiveMessage:
    """Another person has resolved the event too, with notes of their own; they are in its history."""
    return _message(event, "event.resolution_added", _which(event))


def escalated_message(event: Event, step: int) -> LiveMessage:
    return _message(event, "event.escalated", {**_which(event), "step": step})


def _which(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "event_id": event.id,
        "camera_id": event.camera_id,
        "risk_score": event.risk_score,
        "risk_level": event.risk_level,
        "state": event.state,
        "version": event.version,
        # Clients that list the events of one person need it with every change.
        "assigned_to": None if event.assigned_to is None else str(event.assigned_to),
    }


def _message(event: Event, kind: str, data: dict[str, Any], *, needs_ack: bool = False) -> LiveMessage:
    return LiveMessage(
        "events",
        kind,
        data,
        requires_ack=needs_ack,
        owner_id=event.owner_id,
        team_id=event.team_id,
        topic=f"camera.{event.camera_id}",
    )
