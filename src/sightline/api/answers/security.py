"""Security events, cameras, detections and alerts as JSON."""

from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, Field

from sightline.security import Camera, CameraZone
from sightline.security.alerts import Alert, AlertHours, AlertRule, Conditions, EscalationStep, MatchedRule
from sightline.security.detections import Batch, Detection
from sightline.security.events import Event
from sightline.timing import iso_utc

EXAMPLE_TIME = "2025-12-23T12:00:00.000Z"
EXAMPLE_BATCH = "batch-a1b2c3d4"
EXAMPLE_CURSOR = "2025-12-23T12:00:00Z_1"
NO_LONGER_A_MEMBER = "no longer a member"
_EXAMPLE_POLYGON = [[0.1, 0.5], [0.6, 0.5], [0.6, 1.0], [0.1, 1.0]]

_EXAMPLE_CAMERA = {
    "camera_id": "front_door",
    "name": "Front Door",
    "zone": "Europe/Berlin",
    "team_id": None,
    "created_at": EXAMPLE_TIME,
}
_EXAMPLE_BATCH_ANSWER = {
    "batch_id": EXAMPLE_BATCH,
    "state": "assessed",
    "detection_count": 12,
    "started_at": EXAMPLE_TIME,
    "ended_at": EXAMPLE_TIME,
    "close_reason": "idle",
}


class ZoneAnswer(BaseModel):
    zone_id: int = Field(examples=[1])
    name: str = Field(examples=["Porch"])
    kind: str = Field(examples=["entry"])
    polygon: list[list[float]] = Field(
        examples=[_EXAMPLE_POLYGON], description="Corners as [x, y]; of a line its start and its end."
    )
    loiter_s: int | None = Field(examples=[60], description="Who stays longer loiters; null: staying is fine.")
    direction: str | None = Field(
        examples=[None],
        description="Of a line: which crossings count (both, to_right, to_left), along it; otherwise null.",
    )

    @classmethod
    def of(cls, zone: CameraZone) -> Self:
        return cls(
            zone_id=zone.zone_id,
            name=zone.name,
            kind=zone.kind,
            polygon=[list(point) for point in zone.polygon],
            loiter_s=zone.loiter_s,
            direction=zone.direction,
        )


class ZonesAnswer(BaseModel):
    zones: list[ZoneAnswer]


class CameraAnswer(BaseModel):
    camera_id: str = Field(examples=["front_door"])
    name: str = Field(examples=["Front Door"])
    zone: str = Field(examples=["Europe/Berlin"], description="Used to decide when it is night.")
    team_id: str | None = Field(examples=[None])
    created_at: str = Field(examples=[EXAMPLE_TIME])

    @classmethod
    def of(cls, camera: Camera) -> Self:
        return cls(
            camera_id=camera.camera_id,
            name=camera.name,
            zone=camera.zone,
            team_id=None if camera.team_id is None else str(camera.team_id),
            created_at=iso_utc(camera.created_at),
        )


class DetectionAnswer(BaseModel):
    id: int = Field(examples=[17])
    batch_id: str = Field(examples=[EXAMPLE_BATCH])
    camera_id: str = Field(examples=["front_door"])
    object_type: str = Field(examples=["person"])
    confidence: float = Field(examples=[0.93])
    detected_at: str = Field(examples=[EXAMPLE_TIME])
    bbox: list[float] | None = Field(examples=[[0.2, 0.3, 0.1, 0.4]], description="x, y, width, height, from 0 to 1.")
    image_url: str | None = Field(examples=[None], description="A signed URL, valid for an hour.")
    attributes: dict[str, Any] = Field(examples=[{"color": "red"}])

    @classmethod
    def of(cls, found: Detection, image_url: str | None = None) -> Self:
        return cls(
            id=found.id,
            batch_id=found.batch_id,
            camera_id=found.camera_id,
            object_type=found.object_type,
            confidence=found.confidence,
            detected_at=iso_utc(found.detected_at),
            bbox=None if found.box is None else list(found.box),
            image_url=image_url,
            attributes=dict(found.attributes),
        )


class DetectionsAnswer(BaseModel):
    detections: list[DetectionAnswer]
    next_cursor: int | None = Field(
        examples=[17], description="Pass it as `cursor` to get the next page; null at the end."
    )


class BatchAnswer(BaseModel):
    batch_id: str = Field(examples=[EXAMPLE_BATCH])
    state: str = Field(examples=["assessed"])
    detection_count: int = Field(examples=[12])
    started_at: str = Field(examples=[EXAMPLE_TIME])
    ended_at: str = Field(examples=[EXAMPLE_TIME])
    close_reason: str | None = Field(
        examples=["idle"], description="age, idle, full, fast_path, or resolved: its event was."
    )

    @classmethod
    def of(cls, batch: Batch) -> Self:
        return cls(
            batch_id=batch.batch_id,
            state=batch.state,
            detection_count=batch.detection_count,
            started_at=iso_utc(batch.started_at),
            ended_at=iso_utc(batch.ended_at),
            close_reason=batch.close_reason,
        )


class VideoMomentAnswer(BaseModel):
    video_id: str = Field(examples=["a1b2c3d4-e5f6-7890-abcd-ef1234567890"])
    t_ms: int = Field(examples=[12_400], description="The moment in the video.")


class AssigneeAnswer(BaseModel):
    user_id: str = Field(examples=["00000000-0000-0000-0000-000000000001"])
    name: str | None = Field(examples=["ana@example.com"])


class TeamAnswer(BaseModel):
    team_id: str = Field(examples=["00000000-0000-0000-0000-000000000009"])
    people: list[AssigneeAnswer] = Field(description="Its members as last seen, the caller among them.")


class RecipientsAnswer(BaseModel):
    teams: list[TeamAnswer]


class EventAnswer(BaseModel):
    id: int = Field(examples=[1])
    batch_id: str = Field(examples=[EXAMPLE_BATCH])
    camera_id: str = Field(examples=["front_door"])
    risk_score: int = Field(examples=[85])
    risk_level: str = Field(examples=["critical"])
    summary: str = Field(examples=["1 person at Front Door, 02:14"])
    reasoning: str = Field(examples=["Rules: person seen (+35); at night (02 h) (+20). Sum 55, score 55."])
    assessor: str = Field(examples=["rules"], description="rules, model, rules_after_model or unavailable.")
    model: str | None = Field(examples=[None])
    object_types: list[str] = Field(examples=[["person"]])
    state: str = Field(examples=["broadcasted"])
    version: int = Field(examples=[1], description="Rises with each change that people notice.")
    sequence: int | None = Field(examples=[42], description="Its number on the live stream `events`.")
    started_at: str = Field(examples=[EXAMPLE_TIME])
    ended_at: str | None = Field(examples=[EXAMPLE_TIME])
    created_at: str = Field(examples=[EXAMPLE_TIME])
    broadcasted_at: str | None = Field(examples=[EXAMPLE_TIME])
    acknowledged_at: str | None = Field(examples=[None])
    acknowledged_by: str | None = Field(examples=[None])
    resolved_at: str | None = Field(examples=[None])
    resolved_by: str | None = Field(examples=[None])
    resolution_notes: str | None = Field(examples=[None])
    archived_at: str | None = Field(examples=[None])
    objects: list[str] = Field(examples=[["person"]], description="The same as `object_types`.")
    zones: list[str] = Field(examples=[["Porch"]], description="Zones in which anything stood.")
    behaviours: list[str] = Field(
        examples=[["loitering"]], description="entered_zone, line_crossed, loitering, left_behind."
    )
    notes: list[str] = Field(examples=[[]], description="What was found out about it, such as text in the picture.")
    picture_url: str | None = Field(
        examples=[None], description="Its best picture: a signed URL, valid for an hour. Null without one."
    )
    video: VideoMomentAnswer | None = Field(examples=[None], description="Set if a detector found it in a video.")
    assignee: AssigneeAnswer | None = Field(examples=[None])
    snoozed_until: str | None = Field(examples=[None])
    comment_count: int = Field(examples=[0])
    clip_state: str | None = Field(
        None, examples=["done"], description="queued, processing, done or failed; null if no clip was requested."
    )

    @classmethod
    def of(
        cls, event: Event, *, picture_url: str | None = None, comment_count: int = 0, clip_state: str | None = None
    ) -> Self:
        fields = event_fields(event, picture_url=picture_url, comment_count=comment_count)
        return cls.model_validate({**fields, "clip_state": clip_state})


class MetRuleAnswer(BaseModel):
    rule_id: int = Field(examples=[1])
    name: str = Field(examples=["People at night"])
    severity: str = Field(examples=["high"])
    alert_id: int = Field(examples=[1])
    is_cooled_down: bool = Field(
        examples=[False], description="The alert was raised by an earlier event within the cooldown."
    )

    @classmethod
    def of(cls, met: MatchedRule) -> Self:
        return cls(
            rule_id=met.rule_id,
            name=met.name,
            severity=met.severity,
            alert_id=met.alert_id,
            is_cooled_down=met.is_cooled_down,
        )


class WholeEventAnswer(EventAnswer):
    camera: CameraAnswer | None = Field(examples=[_EXAMPLE_CAMERA])
    batch: BatchAnswer | None = Field(
        examples=[_EXAMPLE_BATCH_ANSWER], description="Null once its detections were removed."
    )
    detections: list[DetectionAnswer]
    alert_rules: list[MetRuleAnswer] = Field(description="The caller's rules that the event matched.")


class EventsAnswer(BaseModel):
    events: list[EventAnswer]
    next_cursor: str | None = Field(
        examples=[EXAMPLE_CURSOR], description="Pass it as `cursor` to get the next page; null at the end."
    )


class AlertRuleAnswer(BaseModel):
    rule_id: int = Field(examples=[1])
    name: str = Field(examples=["People at night"])
    is_enabled: bool = Field(examples=[True])
    severity: str = Field(examples=["high"])
    conditions: Conditions
    cooldown_s: int = Field(examples=[300])
    escalate_after_s: int | None = Field(examples=[60])
    escalation: list[EscalationStep] = Field(description="Steps until a person acknowledges the event.")
    quiet_hours: AlertHours | None = Field(examples=[None])
    quiet_lets_critical: bool = Field(examples=[True])
    snoozed_until: str | None = Field(examples=[None])
    team_id: str | None = Field(examples=[None])
    paused: str | None = Field(
        examples=[None],
        description="Why the rule does not watch its team at present, `no longer a member`; null while it does.",
    )
    created_at: str = Field(examples=[EXAMPLE_TIME])

    @classmethod
    def of(cls, rule: AlertRule) -> Self:
        return cls(
            rule_id=rule.rule_id,
            name=rule.name,
            is_enabled=rule.is_enabled,
            severity=rule.severity,
            conditions=rule.conditions,
            cooldown_s=rule.cooldown_s,
            escalate_after_s=rule.escalate_after_s,
            escalation=list(rule.escalation),
            quiet_hours=rule.quiet_hours,
            quiet_lets_critical=rule.quiet_lets_critical,
            snoozed_until=_time(rule.snoozed_until),
            team_id=None if rule.team_id is None else str(rule.team_id),
            paused=NO_LONGER_A_MEMBER if rule.is_paused else None,
            created_at=iso_utc(rule.created_at),
        )


class RulesAnswer(BaseModel):
    rules: list[AlertRuleAnswer]


class TriedAnswer(BaseModel):
    event: EventAnswer
    unmet: list[str] = Field(examples=[["risk_threshold"]], description="Conditions that it does not meet.")


class RuleTestAnswer(BaseModel):
    looked_at: int = Field(examples=[20], description="How many recent events were checked.")
    matched: list[EventAnswer] = Field(description="Events that would have raised an alert, ignoring the cooldown.")
    others: list[TriedAnswer] = Field(description="The other events, and the conditions that they do not meet.")


class RuleTrialAnswer(BaseModel):
    days: int = Field(examples=[7])
    looked_at: int = Field(examples=[120], description="How many events of these days were checked.")
    matched: int = Field(examples=[5], description="How many met the conditions.")
    fired: int = Field(examples=[3], description="How many alerts there would have been, one per cooldown and camera.")
    quiet: int = Field(examples=[1], description="How many of the alerts would have notified nobody in quiet hours.")
    is_complete: bool = Field(examples=[True], description="False if there were more events; the newest were checked.")
    events: list[EventAnswer] = Field(description="The newest events that would have raised an alert.")


class AlertAnswer(BaseModel):
    alert_id: int = Field(examples=[1])
    rule_id: int = Field(examples=[1])
    event_id: int = Field(examples=[1])
    severity: str = Field(examples=["high"])
    state: Literal["pending", "delivered", "acknowledged", "dismissed"] = Field(examples=["pending"])
    created_at: str = Field(examples=[EXAMPLE_TIME])
    delivered_at: str | None = Field(examples=[None])
    escalated_at: str | None = Field(examples=[None])
    settled_at: str | None = Field(examples=[None])
    settled_by: str | None = Field(examples=[None])

    @classmethod
    def of(cls, alert: Alert) -> Self:
        return cls(
            alert_id=alert.alert_id,
            rule_id=alert.rule_id,
            event_id=alert.event_id,
            severity=alert.severity,
            state=alert.state,
            created_at=iso_utc(alert.created_at),
            delivered_at=_time(alert.delivered_at),
            escalated_at=_time(alert.escalated_at),
            settled_at=_time(alert.settled_at),
            settled_by=alert.settled_by,
        )


class AlertsAnswer(BaseModel):
    alerts: list[AlertAnswer]
    next_cursor: int | None = Field(
        examples=[1], description="Pass it as `cursor` to get the next page; null at the end."
    )


def event_fields(event: Event, *, picture_url: str | None = None, comment_count: int = 0) -> dict[str, Any]:
    video = None if event.video_id is None else {"video_id": str(event.video_id), "t_ms": event.video_ms or 0}
    person = event.assigned_to
    return {
        "id": event.id,
        "batch_id": event.batch_id,
        "camera_id": event.camera_id,
        "risk_score": event.risk_score,
        "risk_level": event.risk_level,
        "summary": event.summary,
        "reasoning": event.reasoning,
        "assessor": event.assessor,
        "model": event.model,
        "object_types": list(event.object_types),
        "state": event.state,
        "version": event.version,
        "sequence": event.sequence,
        "started_at": iso_utc(event.started_at),
        "ended_at": _time(event.ended_at),
        "created_at": iso_utc(event.created_at),
        "broadcasted_at": _time(event.broadcasted_at),
        "acknowledged_at": _time(event.acknowledged_at),
        "acknowledged_by": event.acknowledged_by,
        "resolved_at": _time(event.resolved_at),
        "resolved_by": event.resolved_by,
        "resolution_notes": event.resolution_notes,
        "archived_at": _time(event.archived_at),
        "objects": list(event.object_types),
        "zones": list(event.zones),
        "behaviours": list(event.behaviours),
        "notes": list(event.notes),
        "picture_url": picture_url,
        "video": video,
        "assignee": None if person is None else {"user_id": str(person), "name": event.assignee},
        "snoozed_until": _time(event.snoozed_until),
        "comment_count": comment_count,
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else iso_utc(moment)
