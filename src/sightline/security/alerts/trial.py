"""Trial of a rule: recent events with their detections and zones, to see which of them it would have matched."""

from uuid import UUID

from sightline.db import Transaction
from sightline.security.alerts.rule import EventWithDetections
from sightline.security.assessment.findings import touched_zones
from sightline.security.camera import CameraZone
from sightline.security.cameras_store import zones_of
from sightline.security.detections.batches_store import detections_of
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
