"""Topics and messages for Home Assistant. Pure."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline import __version__
from sightline.security.events.event import Event
from sightline.timing import iso_utc

ON, OFF, ONLINE, OFFLINE = b"ON", b"OFF", b"online", b"offline"
MAX_LABEL = 60


@dataclass(frozen=True, slots=True, order=True)
class OccupancySensor:
    """A kind of object at a camera, which is there or not."""

    camera_key: UUID
    label: str

    @property
    def slug(self) -> str:
        """The label in letters that topics and ids may have."""
        return re.sub(r"[^a-z0-9]+", "_", self.label.lower())[:MAX_LABEL].strip("_")

    @property
    def unique_id(self) -> str:
        return f"sightline_{self.camera_key.hex}_{self.slug}"


@dataclass(frozen=True, slots=True)
class Topics:
    prefix: str
    discovery_prefix: str

    @property
    def availability(self) -> str:
        return f"{self.prefix}/status"

    @property
    def events(self) -> str:
        return f"{self.prefix}/events"

    @property
    def birth(self) -> str:
        """Home Assistant says `online` there after its start."""
        return f"{self.discovery_prefix}/status"

    def state(self, entity: OccupancySensor) -> str:
        return f"{self.prefix}/{entity.camera_key}/{entity.slug}/state"

    def discovery(self, entity: OccupancySensor) -> str:
        return f"{self.discovery_prefix}/binary_sensor/{entity.unique_id}/config"


def discovery_message(entity: OccupancySensor, camera_id: str, camera_name: str, topics: Topics) -> bytes:
    return _json(
        {
            "name": entity.label.replace("_", " ").capitalize(),
            "unique_id": entity.unique_id,
            "object_id": f"{camera_id}_{entity.slug}_occupancy",
            "device_class": "occupancy",
            "state_topic": topics.state(entity),
            "payload_on": ON.decode(),
            "payload_off": OFF.decode(),
            "availability_topic": topics.availability,
            "payload_available": ONLINE.decode(),
            "payload_not_available": OFFLINE.decode(),
            "qos": 1,
            "device": {
                "identifiers": [f"sightline_{entity.camera_key.hex}"],
                "name": camera_name,
                "manufacturer": "Sightline",
                "model": "Camera",
            },
            "origin": {"name": "Sightline", "sw_version": __version__},
        }
    )


def event_message(kind: str, event: Event, *, page_url: str) -> bytes:
    """`kind` is that of the live feed: event, event.updated, event.acknowledged …"""
    return _json(
        {
            "type": kind,
            "id": event.id,
            "version": event.version,
            "state": event.state,
            "camera_id": event.camera_id,
            "objects": list(event.object_types),
            "zones": list(event.zones),
            "behaviours": list(event.behaviours),
            "risk_score": event.risk_score,
            "risk_level": event.risk_level,
            "summary": event.summary,
            "started_at": iso_utc(event.started_at),
            "ended_at": None if event.ended_at is None else iso_utc(event.ended_at),
            "url": f"{page_url.rstrip('/')}/ui/events/{event.id}",
        }
    )


def usable(entities: Sequence[OccupancySensor]) -> list[OccupancySensor]:
    """Labels of foreign detectors may have no letter that an id can have."""
    return [one for one in entities if one.slug]


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
