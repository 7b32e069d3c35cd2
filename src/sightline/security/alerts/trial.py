"""Trial of a rule: which of the recent events it would have matched, and how often it would have alerted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sightline.db import Transaction
from sightline.security.alerts.rule import EventWithDetections, quiet_until, unmet_conditions
from sightline.security.alerts.store import NewRule
from sightline.security.assessment.findings import touched_zones
from sightline.security.camera import CameraZone
from sightline.security.cameras_store import zones_of
from sightline.security.detections.batches_store import best_detections_of, detections_of
from sightline.security.detections.detection import Detection
from sightline.security.events.event import Event
from sightline.security.events.events_store import EventFilter, list_events


async def recent_events(tx: Transaction, *, limit: int) -> list[EventWithDetections]:
    """The events that the transaction's caller may see, newest first, in the zones as they are now."""
    zones: dict[tuple[UUID, str], list[CameraZone]] = {}
    found = []
    for event in await list_events(tx, EventFilter(), limit=limit):
        camera = (event.owner_id, event.camera_id)
        if camera not in zones:
            zones[camera] = await zones_of(tx, event.camera_id, owner_id=event.owner_id)
        detections = await detections_of(tx, event.batch_id)
        touched = {zone.name for zone in touched_zones(zones[camera], detections)}
        found.append(EventWithDetections(event, detections, touched))
    return found


MAX_TRIED_EVENTS = 5000


@dataclass(frozen=True, slots=True)
class RuleTrial:
    """What a rule would have done with events of the past."""

    looked_at: int
    matched: Sequence[Event]
    """Newest first."""
    fired: Sequence[Event]
    """Those of the matched events that would have raised an alert; the others were within a cooldown. Newest first."""
    quiet: int
    """How many of these alerts would have notified nobody, because of quiet hours."""
    is_complete: bool
    """False if there are more events than a trial looks at; the newest were taken."""


async def try_rule(tx: Transaction, rule: NewRule, *, since: datetime) -> RuleTrial:
    """With the events that the transaction's caller may see, and of those the ones that the rule would watch."""
    found = await list_events(tx, EventFilter(since=since), limit=MAX_TRIED_EVENTS + 1)
    events = [
        event
        for event in found[:MAX_TRIED_EVENTS]
        if event.owner_id == rule.owner_id or (rule.team_id is not None and event.team_id == rule.team_id)
    ]
    detections: dict[str, list[Detection]] = {}
    if rule.conditions.min_confidence is not None:
        for one in await best_detections_of(tx, [event.batch_id for event in events]):
            detections.setdefault(one.batch_id, []).append(one)
    matched = [
        event
        for event in events
        if not unmet_conditions(
            rule.conditions, EventWithDetections(event, detections.get(event.batch_id, []), event.zones)
        )
    ]
    fired = cooled_down(matched, cooldown=timedelta(seconds=rule.cooldown_s))
    return RuleTrial(
        looked_at=len(events),
        matched=matched,
        fired=fired,
        quiet=sum(_is_quiet(rule, event) for event in fired),
        is_complete=len(found) <= MAX_TRIED_EVENTS,
    )


def cooled_down(matched: Sequence[Event], *, cooldown: timedelta) -> list[Event]:
    """The events that raise an alert: the first of each camera, and the first after each cooldown. Newest first, as given."""
    last: dict[tuple[UUID, str], datetime] = {}
    fired = []
    for event in sorted(matched, key=lambda event: event.created_at):
        camera = (event.owner_id, event.camera_id)
        if camera not in last or event.created_at - last[camera] >= cooldown:
            last[camera] = event.created_at
            fired.append(event)
    return fired[::-1]


def _is_quiet(rule: NewRule, event: Event) -> bool:
    until = quiet_until(
        rule.quiet_hours,
        lets_critical=rule.quiet_lets_critical,
        is_critical=event.risk_level == "critical",
        now=event.created_at,
    )
    return until is not None
