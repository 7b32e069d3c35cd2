"""Reads and writes security events. Every change carries the state it expects."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from sightline.contracts.security_events import RiskLevel
from sightline.db import Transaction, load_queries
from sightline.errors import NotFound
from sightline.paging import Cursor
from sightline.security.assessment.assessor import MAX_REASONING_LENGTH, Assessment
from sightline.security.assessment.findings import Findings
from sightline.security.events.event import Event, EventState

_sql = load_queries(Path(__file__).with_name("events.sql"))

MAX_ID = 2**63 - 1
MAX_VIDEO_MS = 10**12
MAX_PEOPLE = 500


def read_event_id(text: str) -> int:
    number = int(text)
    if not 0 < number <= MAX_ID:
        raise ValueError(text)
    return number


@dataclass(frozen=True, slots=True)
class EventFilter:
    camera_id: str | None = None
    owner_id: UUID | None = None
    risk_levels: Sequence[RiskLevel] | None = None
    states: Sequence[EventState] | None = None
    since: datetime | None = None
    until: datetime | None = None
    words: str | None = None
    after_sequence: int | None = None
    is_archived: bool = False
    objects: Sequence[str] | None = None
    zones: Sequence[str] | None = None
    behaviours: Sequence[str] | None = None
    assigned_to: UUID | None = None
    is_assigned: bool | None = None
    is_snoozed: bool | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may see an event."""

    user_id: UUID
    name: str | None


async def insert_event(tx: Transaction, findings: Findings, assessment: Assessment) -> Event | None:
    """The new event, or None if the batch has one already."""
    event_id = await _sql["insert_event"].value(
        tx,
        batch_id=findings.batch_id,
        camera_id=findings.camera.camera_id,
        owner_id=findings.camera.owner_id,
        team_id=findings.camera.team_id,
        risk_score=assessment.score,
        summary=assessment.summary,
        reasoning=assessment.reasoning,
        assessor=assessment.assessor,
        model=assessment.model,
        started_at=findings.started_at,
        ended_at=findings.ended_at,
        **_seen(findings),
        **_moment_in_video(findings),
    )
    return None if event_id is None else await need_event(tx, event_id)


def _seen(findings: Findings) -> dict[str, Any]:
    best = findings.best_picture
    return {
        "object_types": sorted(findings.counts),
        "zones": [zone.name for zone in findings.touched_zones()],
        "behaviours": sorted({one.kind for one in findings.behaviours()}),
        "picture_key": None if best is None else best.image_key,
    }


def _moment_in_video(findings: Findings) -> dict[str, Any]:
    """A detector that looked at a video names it in the attributes of its detections."""
    for found in findings.detections:
        try:
            video_id = UUID(str(found.attributes["video_id"]))
            video_ms = int(found.attributes.get("t_ms") or 0)
        except (KeyError, ValueError, TypeError, OverflowError):
            continue
        return {"video_id": video_id, "video_ms": min(max(video_ms, 0), MAX_VIDEO_MS)}
    return {"video_id": None, "video_ms": None}


async def lock_event_of_batch(tx: Transaction, batch_id: str) -> Event | None:
    """The live event that a batch became; people and other workers that change it wait."""
    event_id = await _sql["lock_event_of_batch"].value(tx, batch_id=batch_id)
    return None if event_id is None else await need_event(tx, event_id)


async def revise_event(
    tx: Transaction, event: Event, findings: Findings, assessment: Assessment, *, is_new_version: bool
) -> Event:
    """Stores what further sightings changed of a locked event."""
    await _sql["revise_event"].run(
        tx,
        id=event.id,
        risk_score=assessment.score,
        summary=assessment.summary,
        reasoning=assessment.reasoning,
        assessor=assessment.assessor,
        model=assessment.model,
        started_at=findings.started_at,
        ended_at=findings.ended_at,
        is_new_version=is_new_version,
        **_seen(findings),
    )
    return await need_event(tx, event.id)


async def event_of_batch(tx: Transaction, batch_id: str) -> Event | None:
    row = await _sql["event_of_batch"].row(tx, batch_id=batch_id)
    return None if row is None else Event(**row)


async def refine_event(tx: Transaction, event_id: int, assessment: Assessment) -> bool:
    """Replaces the rules' assessment; False if another worker did, or a person has resolved the event."""
    found = await _sql["refine_event"].value(
        tx,
        id=event_id,
        risk_score=assessment.score,
        summary=assessment.summary,
        reasoning=assessment.reasoning,
        assessor=assessment.assessor,
        model=assessment.model,
    )
    return found is not None


async def add_notes(tx: Transaction, event_id: int, *, notes: Sequence[str], reasoning: str) -> Event:
    """What enrichment found out about a locked event, as a new version."""
    await _sql["add_notes"].run(tx, id=event_id, notes=list(notes), reasoning=reasoning[:MAX_REASONING_LENGTH])
    return await need_event(tx, event_id)


async def set_sequence(tx: Transaction, event_id: int, sequence: int) -> None:
    await _sql["set_sequence"].run(tx, id=event_id, sequence=sequence)


async def mark_broadcasted(tx: Transaction, *, top: int) -> int:
    """Says how many were."""
    return await _sql["mark_broadcasted"].run(tx, top=top)


async def need_event(tx: Transaction, event_id: int) -> Event:
    row = await _sql["get_event"].row(tx, id=event_id) if 0 < event_id <= MAX_ID else None
    if row is None:
        raise NotFound(f"no event {event_id}", code="EVENT_NOT_FOUND")
    return Event(**row)


async def list_events(
    tx: Transaction, filters: EventFilter, *, limit: int, before: Cursor[int] | None = None, skip: int = 0
) -> list[Event]:
    rows = await _sql["list_events"].rows(
        tx,
        is_archived=filters.is_archived,
        camera_id=filters.camera_id,
        owner_id=filters.owner_id,
        risk_levels=filters.risk_levels,
        states=filters.states,
        since=filters.since,
        until=filters.until,
        words=filters.words,
        after_sequence=filters.after_sequence,
        objects=filters.objects,
        zones=filters.zones,
        behaviours=filters.behaviours,
        assigned_to=filters.assigned_to,
        is_assigned=filters.is_assigned,
        is_snoozed=filters.is_snoozed,
        before_at=None if before is None else before.at,
        before_id=None if before is None else before.id,
        limit=limit,
        skip=skip,
    )
    return [Event(**row) for row in rows]


async def acknowledge(tx: Transaction, event_id: int, *, by: str, version: int | None) -> bool:
    return await _sql["acknowledge"].value(tx, id=event_id, by=by, version=version) is not None


async def resolve(tx: Transaction, event_id: int, *, by: str | None, notes: str | None, version: int | None) -> bool:
    return await _sql["resolve"].value(tx, id=event_id, by=by, notes=notes, version=version) is not None


async def reopen(tx: Transaction, event_id: int, *, version: int | None) -> bool:
    return await _sql["reopen"].value(tx, id=event_id, version=version) is not None


async def assign(tx: Transaction, event_id: int, person: UUID | None, name: str | None, *, version: int | None) -> bool:
    found = await _sql["assign"].value(tx, id=event_id, assigned_to=person, assignee=name, version=version)
    return found is not None


async def snooze(tx: Transaction, event_id: int, until: datetime | None, *, version: int | None) -> bool:
    return await _sql["snooze"].value(tx, id=event_id, until=until, version=version) is not None


async def people_of_event(tx: Transaction, event: Event) -> list[Person]:
    """Its owner, and the members of its team as last seen."""
    rows = await _sql["people_of_event"].rows(tx, owner_id=event.owner_id, team_id=event.team_id, limit=MAX_PEOPLE)
    return [Person(**row) for row in rows]
