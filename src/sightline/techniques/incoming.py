"""Incoming messages of the topic: parsed, validated, and deduplicated by id and index. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

from sightline.bus import Delivery, text_attribute
from sightline.contracts.technique_events import (
    ANALYSIS_COMPLETE,
    EVENT_DETECTED,
    AnalysisComplete,
    TechniqueDetected,
    clock_seconds,
    parse_complete,
    parse_event_index,
    parse_technique,
)
from sightline.errors import InvalidInput
from sightline.techniques.runs import is_derived_id


@dataclass(slots=True)  # not frozen: one is created per message, and freezing costs as much as parsing its times
class ReceivedEvent:
    id: UUID
    body: TechniqueDetected
    index: int
    total: int
    start_s: int
    end_s: int
    digest: int
    """Hash of the message as a signed 64-bit integer, as in PostgreSQL; the same hash is a repeated message."""


@dataclass(slots=True)
class ReceivedBatch:
    events: list[ReceivedEvent]
    completions: list[AnalysisComplete]

    @property
    def video_ids(self) -> set[UUID]:
        return {event.body.video_id for event in self.events} | {one.video_id for one in self.completions}

    def has_foreign_events(self, video_id: UUID) -> bool:
        """Whether it has events of the video that another producer made."""
        return any(event.body.video_id == video_id and not is_derived_id(event.id) for event in self.events)


def parse_deliveries(deliveries: Sequence[Delivery]) -> ReceivedBatch:
    """Raises if any message is invalid; the consumer then handles each alone, and dead-letters the invalid one."""
    events: dict[UUID, ReceivedEvent] = {}
    completions: dict[tuple[UUID, str], AnalysisComplete] = {}
    for delivery in deliveries:
        match delivery.event_type:
            case str() as kind if kind == EVENT_DETECTED:
                event = _event(delivery)
                events[event.id] = event
            case str() as kind if kind == ANALYSIS_COMPLETE:
                done = parse_complete(delivery.notification.body)
                completions[done.video_id, done.job_id] = done
            case kind:
                raise InvalidInput(f"unknown event_type {kind!r}")
    return ReceivedBatch(list(events.values()), list(completions.values()))


def _event(delivery: Delivery) -> ReceivedEvent:
    notification = delivery.notification
    index, total = parse_event_index(
        text_attribute(notification, "event_index"), text_attribute(notification, "total_events")
    )
    body = parse_technique(notification.body)
    return ReceivedEvent(
        body.id,
        body,
        index,
        total,
        clock_seconds(body.start_time),
        clock_seconds(body.end_time),
        _digest(f"{index}/{total}/{notification.body}"),
    )


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)


def latest_per_index(
    events: Iterable[tuple[ReceivedEvent, int, UUID | None]],
) -> list[tuple[ReceivedEvent, int, UUID | None]]:
    """The last event for each (run, index); ids are unique already."""
    found = {(run_id, event.index, unnamed): (event, run_id, unnamed) for event, run_id, unnamed in events}
    return list(found.values())
