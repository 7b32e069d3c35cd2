"""Security events and their lifecycle."""

from sightline.security.events.broadcast_marks import BroadcastMarks
from sightline.security.events.comments_store import Comment, comment_counts, comments_of
from sightline.security.events.event import Event, EventState
from sightline.security.events.events_store import (
    EventFilter,
    Person,
    list_events,
    need_event,
    people_of_event,
    read_event_id,
)
from sightline.security.events.export import ExportedEvent, ExportFormat, Pages, as_csv, as_json, as_zip
from sightline.security.events.history import Actor, HistoryAction, HistoryEntry, history_of
from sightline.security.events.known import known_event_ids
from sightline.security.events.lifecycle import MAX_VERSION

__all__ = [
    "MAX_VERSION",
    "Actor",
    "BroadcastMarks",
    "Comment",
    "Event",
    "EventFilter",
    "EventState",
    "ExportFormat",
    "ExportedEvent",
    "HistoryAction",
    "HistoryEntry",
    "Pages",
    "Person",
    "as_csv",
    "as_json",
    "as_zip",
    "comment_counts",
    "comments_of",
    "history_of",
    "known_event_ids",
    "list_events",
    "need_event",
    "people_of_event",
    "read_event_id",
]
