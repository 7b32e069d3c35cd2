"""Removes clips whose time is over: the stored object first, then the row says so."""

import asyncio
from collections.abc import Callable

import structlog

from sightline.db import Database
from sightline.media.clips.store import expire_clip, expired_clips
from sightline.objects.store import Objects
from sightline.timing import repeat

BATCH = 100

log = structlog.get_logger(__name__)


class ClipExpiry:
    """Safe to run from many processes at once, and to be killed in: an object that is gone already is fine."""

    name = "clip-expiry"

    def __init__(self, database: Database, objects: Objects, *, every_s: float = 600.0) -> None:
        self._database = database
        self._objects = objects
        self._every_s = every_s

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self.sweep)

    async def sweep(self) -> int:
        """Says how many clips it removed."""
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
            return await expired_clips(tx, most=BATCH)
