"""enrich_event: reads the text in an event's picture and adds it as a new version; the event itself never waits for that.

What was read is a guess and is said as one. The reader is handed in: it belongs to another feature.
"""

import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Protocol

import structlog

from sightline.contracts.jobs import EnrichEvent
from sightline.db import Database
from sightline.errors import PermanentFailure
from sightline.jobs import Job, JobContext, JobLimits
from sightline.live import LiveFeed
from sightline.objects import ObjectStore
from sightline.security.assessment.batch_findings import fetch_findings
from sightline.security.assessment.enrichment import LONGEST_NOTE, MAX_NOTES
from sightline.security.assessment.event_revision import with_notes
from sightline.security.assessment.findings import Findings
from sightline.security.events import events_store
from sightline.security.events.event import Event, updated_message
from sightline.security.events.history import record
from sightline.security.object_types import VEHICLES

MAX_NAMED_TEXTS = 5
MAX_PICTURE_BYTES = 16 * 1024 * 1024
_PLATE = re.compile(r"(?=.*[A-Z])(?=.*[0-9])[A-Z0-9][A-Z0-9 ·.-]{3,9}[A-Z0-9]")

Region = tuple[float, float, float, float]

log = structlog.get_logger(__name__)


class ReadText(Protocol):
    """Some text in a picture; in a region if it is on the object there."""

    @property
    def text(self) -> str: ...

    @property
    def is_in_region(self) -> bool: ...


ReadPicture = Callable[[bytes, Sequence[Region]], Coroutine[Any, Any, Sequence[ReadText]]]


class EnrichEventJob(Job[EnrichEvent]):
    payload = EnrichEvent
    limits = JobLimits(concurrency=1, time_limit=timedelta(minutes=5))

    def __init__(
        self, database: Database, live: LiveFeed, objects: ObjectStore, read_picture: ReadPicture | None
    ) -> None:
        """Without a reader (it was switched off since) events stay as they are."""
        self._database = database
        self._live = live
        self._objects = objects
        self._read_picture = read_picture

    async def run(self, payload: EnrichEvent, context: JobContext) -> None:
        if self._read_picture is None:
            return
        async with self._database.transaction() as tx:
            event = await events_store.event_of_batch(tx, payload.batch_id)
            if event is None or event.picture_key is None or not _is_open(event):
                return
            findings = await fetch_findings(tx, payload.batch_id)
        stored = await self._objects.head(event.picture_key)
        if stored is None or stored.size > MAX_PICTURE_BYTES:
            return
        try:
            found = await self._read_picture(await self._objects.get(event.picture_key), vehicles_in(findings))
        except PermanentFailure as error:  # not a picture, or one that cannot be read within the limits
            log.warning("security.enrichment_failed", batch_id=payload.batch_id, error=str(error))
            return
        notes = notes_of(found)
        async with context.finishing() as tx:
            current = await events_store.lock_event_of_batch(tx, payload.batch_id)
            added = [note for note in notes if current is not None and note not in current.notes]
            if current is None or not _is_open(current) or not added:
                return
            kept = [*current.notes, *added][-MAX_NOTES:]
            reasoning = with_notes(current.reasoning, replace(current, notes=kept))
            enriched = await events_store.add_notes(tx, current.id, notes=kept, reasoning=reasoning)
            await record(tx, current.id, "enriched", version=enriched.version, notes=added)
            await self._live.append(tx, updated_message(enriched))
        log.info("security.event_enriched", event_id=enriched.id, batch_id=enriched.batch_id, notes=len(added))


def _is_open(event: Event) -> bool:
    return event.resolved_at is None and event.archived_at is None


def vehicles_in(findings: Findings) -> list[Region]:
    """Where in the best picture a vehicle is: its plate is looked for enlarged."""
    best = findings.best_picture
    if best is None:
        return []
    same = [one for one in findings.detections if one.image_key == best.image_key]
    return [
        (one.box[0], one.box[1], one.box[2], one.box[3])
        for one in same
        if one.box is not None and one.object_type in VEHICLES
    ]


def notes_of(found: Sequence[ReadText]) -> list[str]:
    """Sentences about what was read; plates are named as such only on vehicles."""
    plates = [one.text for one in found if one.is_in_region and _PLATE.fullmatch(one.text)]
    texts = [one.text for one in found if one.text not in plates][:MAX_NAMED_TEXTS]
    notes = [f'Maybe a licence plate: "{plate}" (read from the picture, a guess).' for plate in plates[:2]]
    if texts:
        named = ", ".join(f'"{text}"' for text in texts)
        notes.append(f"Text in the picture, a guess: {named}.")
    return [note if len(note) <= LONGEST_NOTE else f"{note[: LONGEST_NOTE - 1]}…" for note in notes]
