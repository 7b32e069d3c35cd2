"""Finds originals that nothing announced: dropped into the bucket or the directory, or whose event was lost."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import structlog

from sightline.db import Database
from sightline.objects import ORIGINALS_PREFIX, video_id_of_original
from sightline.objects.store import Objects, StoredObject
from sightline.timing import Clock, repeat, utc_now
from sightline.uploads.completion import Arrivals
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.store import open_of
from sightline.videos import NewVideo, known_of

PAGE = 1000

log = structlog.get_logger(__name__)


class Scanner:
    name = "bucket-scanner"

    def __init__(
        self,
        database: Database,
        objects: Objects,
        arrivals: Arrivals,
        settings: UploadsSettings,
        *,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._objects = objects
        self._arrivals = arrivals
        self._settings = settings
        self._clock = clock

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        if self._settings.scan_s:
            await repeat(stop, self._settings.scan_s, self.scan)
        else:
            await stop.wait()

    async def scan(self) -> int:
        """Looks through all originals; says how many it had to see to. Repeating it changes nothing more."""
        seen, page = 0, dict[UUID, StoredObject]()
        async for stored in self._objects.find(ORIGINALS_PREFIX):
            if (video_id := video_id_of_original(stored.key)) is not None and self._is_settled(stored):
                page[video_id] = stored
            if len(page) == PAGE:
                seen += await self._look_at(page)
                page = {}
        return seen + await self._look_at(page)

    async def take_in(self, stored: StoredObject, video_id: UUID) -> None:
        """A video of an original that nobody told us of."""
        new = NewVideo(
            id=video_id,
            owner_id=self._settings.dropped_owner_id,
            owner_email=self._settings.dropped_owner_email,
            name=f"{video_id}.mp4",
            size_bytes=stored.size,
            content_type=stored.content_type,
        )
        if await self._arrivals.adopt(stored, new) is not None:
            log.info("scanner.took_in", video_id=str(video_id), bytes=stored.size)

    async def _look_at(self, page: dict[UUID, StoredObject]) -> int:
        if not page:
            return 0
        async with self._database.transaction() as tx:
            known = await known_of(tx, list(page))
            unfinished = await open_of(tx, list(page))
        for video_id, stored in page.items():
            if video_id not in known:
                await self.take_in(stored, video_id)
            elif video_id in unfinished:
                await self._arrivals.settle(stored, video_id)
        return len(page.keys() - known) + len(unfinished)

    def _is_settled(self, stored: StoredObject) -> bool:
        """A file that somebody is still copying in changes all the time. A part of an upload never shows as an object."""
        return stored.modified_at <= self._clock() - timedelta(seconds=self._settings.scan_settle_s)
