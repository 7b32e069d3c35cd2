"""Expiry of event clips: a clip is kept as long as its event."""

from collections.abc import Awaitable, Callable, Sequence

import structlog

from sightline.cameras.recording.clips.store import clips_after, delete_clips
from sightline.db import Database, Transaction
from sightline.objects import ObjectStore, event_clip_key, event_clip_poster_key, event_clip_preview_key
from sightline.supervisor import Every

SWEEP_EVERY_S = 3600.0
BATCH_SIZE = 500

KnownEvents = Callable[[Transaction, Sequence[int]], Awaitable[set[int]]]
"""Which of these events exist, live or archived."""

log = structlog.get_logger(__name__)


class EventClipSweep:
    """Removes clips of events that no longer exist. Objects go first: a killed process leaves a row that is swept again."""

    def __init__(self, database: Database, objects: ObjectStore, known_events: KnownEvents) -> None:
        self._database = database
        self._objects = objects
        self._known_events = known_events

    def service(self) -> Every:
        return Every("event-clip-sweep", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> int:
        """Returns how many clips it removed."""
        removed, after = 0, 0
        while True:
            async with self._database.transaction() as tx:
                found = await clips_after(tx, after, limit=BATCH_SIZE)
                known = await self._known_events(tx, found)
            if not found:
                break
            after = found[-1]
            gone = [event_id for event_id in found if event_id not in known]
            keys = [key(event_id) for event_id in gone for key in CLIP_KEYS]
            await self._objects.delete(keys)
            async with self._database.transaction() as tx:
                removed += await delete_clips(tx, gone)
        if removed:
            log.info("event_clips.expired", clips=removed)
        return removed


CLIP_KEYS = (event_clip_key, event_clip_poster_key, event_clip_preview_key)
