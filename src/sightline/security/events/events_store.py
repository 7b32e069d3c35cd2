"""Reads and writes security events. Every change carries the state it expects."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sightline.contracts.security_events import RiskLevel
from sightline.db import Transaction, load_queries
from sightline.errors import NotFound
from sightline.paging import Cursor
from sightline.security.assessment.assessor import Assessment
from sightline.security.assessment.findings import Findings
from sightline.security.events.event import Event, EventState

_sql = load_queries(Path(__file__).with_name("events.sql"))

MAX_ID = 2**63 - 1


def read_event_id(text: str) -> int:
    number = int(text)
    if not 0 < number <= MAX_ID:
        raise ValueError(text)
    return number


@dataclass(frozen=True, slots=True)
class EventFilter:
    camera_id: str | None = None
    risk_levels: Sequence[RiskLevel] | None = None
    states: Sequence[EventState] | None = None
    since: datetime | None = None
    until: datetime | None = None
    words: str | None = None
    after_sequence: int | None = None
    is_archived: bool = False


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
        object_types=sorted(findings.counts),
        started_at=findings.started_at,
        ended_at=findings.ended_at,
    )
    return None if event_id is None else await need_event(tx, event_id)


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
    tx: Transaction, filters: EventFilter, *, limit: int, before: Cursor[int] | None = None
) -> list[Event]:
    rows = await _sql["list_events"].rows(
        tx,
        is_archived=filters.is_archived,
        camera_id=filters.camera_id,
        risk_levels=filters.risk_levels,
        states=filters.states,
        since=filters.since,
        until=filters.until,
        words=filters.words,
        after_sequence=filters.after_sequence,
        before_at=None if before is None else before.at,
        before_id=None if before is None else before.id,
        limit=limit,
    )
    return [Event(**row) for row in rows]


async def acknowledge(tx: Transaction, event_id: int, *, by: str, version: int | None) -> bool:
    return await _sql["acknowledge"].value(tx, id=event_id, by=by, version=version) is not None


async def resolve(tx: Transaction, event_id: int, *, by: str | None, notes: str | None, version: int | None) -> bool:
    return await _sql["resolve"].value(tx, id=event_id, by=by, notes=notes, version=version) is not None
