"""Bucket scanner: finds originals without an event, because they were put there directly or the event was lost."""

from datetime import timedelta
from uuid import UUID

import structlog

from sightline.db import Database
from sightline.objects import ORIGINALS_PREFIX, ObjectStore, StoredObject, video_id_of_original
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now
from sightline.uploads.completion import UploadCompletion
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.store import unfinished_uploads
from sightline.videos import NewVideo, known_videos

SCAN_PAGE = 1000

log = structlog.get_logger(__name__)


class BucketScanner:
    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        completion: UploadCompletion,
        settings: UploadsSettings,
        *,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._objects = objects
        self._completion = completion
        self._settings = settings
        self._clock = clock

    def service(self) -> Every | None:
        """None when scanning is turned off."""
        return Every("bucket-scanner", self._settings.scan_s, self.scan) if self._settings.scan_s else None

    async def scan(self) -> int:
        """Checks all originals; returns how many needed action. Idempotent."""
        handled, page = 0, dict[UUID, StoredObject]()
        async for stored in self._objects.find(ORIGINALS_PREFIX):
            if (video_id := video_id_of_original(stored.key)) is not None and self._is_unchanged(stored):
                page[video_id] = stored
            if len(page) == SCAN_PAGE:
                handled += await self._handle(page)
                page = {}
        return handled + await self._handle(page)

    async def import_original(self, stored: StoredObject, video_id: UUID) -> None:
        """Creates the video of an original that was not uploaded through the API."""
        new = NewVideo(
            id=video_id,
            owner_id=self._settings.dropped_owner_id,
            owner_email=self._settings.dropped_owner_email,
            name=f"{video_id}.mp4",
            size_bytes=stored.size,
            content_type=stored.content_type,
        )
        if await self._completion.adopt(stored, new) is not None:
            log.info("scanner.imported", video_id=str(video_id), bytes=stored.size)

    async def _handle(self, page: dict[UUID, StoredObject]) -> int:
        if not page:
            return 0
        async with self._database.transaction() as tx:
            known = await known_videos(tx, list(page))
            unfinished = await unfinished_uploads(tx, list(page))
        for video_id, stored in page.items():
            if video_id not in known:
                await self.import_original(stored, video_id)
            elif video_id in unfinished:
                await self._completion.finish(stored, video_id)
        return len(page.keys() - known) + len(unfinished)

    def _is_unchanged(self, stored: StoredObject) -> bool:
        """A file that is still being copied keeps changing. Parts of an upload never appear as objects."""
        return stored.modified_at <= self._clock() - timedelta(seconds=self._settings.scan_settle_s)
