"""Messages of the topic as they arrive: read, checked, one per id and per place. Pure."""

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


@dataclass(slots=True)  # not frozen: made for every message, and that would cost as much as reading its clock times
class ReceivedEvent:
    id: UUID
    body: TechniqueDetected
    index: int
    total: int
    start_s: int
    end_s: int
    digest: int
    """Of the message, in 64 bits with a sign, as PostgreSQL has them: the same again is a repetition."""


@dataclass(slots=True)
class ReceivedBatch:
    events: list[ReceivedEvent]
    completions: list[AnalysisComplete]

    @property
    def video_ids(self) -> set[UUID]:
        return {event.body.video_id for event in self.events} | {one.video_id for one in self.completions}


def parse_deliveries(deliveries: Sequence[Delivery]) -> ReceivedBatch:
    """A message that cannot be read spoils the batch; the consumer then tries each alone, and buries that one."""
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
    said = delivery.notification
    index, total = parse_event_index(text_attribute(said, "event_index"), text_attribute(said, "total_events"))
    body = parse_technique(said.body)
    return ReceivedEvent(
        body.id,
        body,
        index,
        total,
        clock_seconds(body.start_time),
        clock_seconds(body.end_time),
        _digest(f"{index}/{total}/{said.body}"),
    )


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)


def latest_per_index(
    events: Iterable[tuple[ReceivedEvent, int, UUID | None]],
) -> list[tuple[ReceivedEvent, int, UUID | None]]:
    """Of events for one place (run, index) the last one; of each id there is one already."""
    found = {(run_id, event.index, unnamed): (event, run_id, unnamed) for event, run_id, unnamed in events}
    return list(found.values())
