"""Snoozes of cameras: until when a person is not alerted by one."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.security.events.event import Event

_sql = load_queries(Path(__file__).with_name("snoozes.sql"))


@dataclass(frozen=True, slots=True)
class CameraSnooze:
    until: datetime
    lets_critical: bool
    """Critical events notify the person all the same."""


async def snooze_camera(tx: Transaction, camera_key: UUID, person_id: UUID, snooze: CameraSnooze | None) -> None:
    """With None the person is alerted again."""
    if snooze is None:
        await _sql["end_snooze"].run(tx, camera_key=camera_key, person_id=person_id)
    else:
        await _sql["snooze_camera"].run(
            tx, camera_key=camera_key, person_id=person_id, until=snooze.until, lets_critical=snooze.lets_critical
        )


async def camera_snooze(tx: Transaction, camera_key: UUID, person_id: UUID) -> CameraSnooze | None:
    row = await _sql["get_snooze"].row(tx, camera_key=camera_key, person_id=person_id)
    return None if row is None else CameraSnooze(**row)


async def silenced_people(tx: Transaction, event: Event) -> set[UUID]:
    """The people who have snoozed the event's camera, but for those whom a critical event reaches all the same."""
    rows = await _sql["snoozers"].rows(tx, owner_id=event.owner_id, camera_id=event.camera_id)
    is_critical = event.risk_level == "critical"
    return {row["person_id"] for row in rows if not (is_critical and row["lets_critical"])}
