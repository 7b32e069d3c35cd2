"""Security events and their lifecycle."""

from sightline.security.events.broadcast_marks import BroadcastMarks
from sightline.security.events.event import Event, EventState
from sightline.security.events.events_store import EventFilter, list_events, need_event, read_event_id
from sightline.security.events.lifecycle import MAX_VERSION

__all__ = [
    "MAX_VERSION",
    "BroadcastMarks",
    "Event",
    "EventFilter",
    "EventState",
    "list_events",
    "need_event",
    "read_event_id",
]
