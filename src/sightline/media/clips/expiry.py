"""Clip expiry: removes the object of an expired clip, then marks its row."""

import structlog

from sightline.db import Database
from sightline.media.clips.store import expire_clip, expired_clips
from sightline.objects import ObjectStore
from sightline.supervisor import Every

SWEEP_EVERY_S = 600.0
BATCH_SIZE = 100

log = structlog.get_logger(__name__)


class ClipExpiry:
    """Safe to run in many processes and to kill at any time: removing an object twice does no harm."""

    def __init__(self, database: Database, objects: ObjectStore) -> None:
        self._database = database
        self._objects = objects

    def service(self) -> Every:
        return Every("clip-expiry", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> int:
        """Returns how many clips it removed."""
        removed = 0
        while due := await self._due():
            await self._objects.delete(list(due.values()))
            async with self._database.transaction() as tx:
                expired = [await expire_clip(tx, clip_id) for clip_id in due]
            removed += sum(expired)
        if removed:
            log.info("clips.expired", clips=removed)
        return removed

    async def _due(self) -> dict[str, str]:
        async with self._database.transaction() as tx:
            return await expired_clips(tx, limit=BATCH_SIZE)
