"""Removal of videos: the rows at once, the objects right after, and again when no job can still be writing them."""

from pathlib import Path
from uuid import UUID

import structlog

from sightline.db import Database, Transaction, load_queries
from sightline.jobs import remove_jobs_of_video
from sightline.objects import ObjectStore, original_key, video_prefixes
from sightline.supervisor import Every
from sightline.videos.trash import trash_due

_sql = load_queries(Path(__file__).with_name("queries.sql"))
SWEEP_EVERY_S = 60.0
SETTLE_S = 6 * 3600.0
"""Longer than any job may run."""

log = structlog.get_logger(__name__)


async def remove_video(tx: Transaction, video_id: UUID, *, store_upload_id: str | None) -> None:
    """Deletes the rows in this transaction; `RemovalSweep` deletes the objects, even if this process ends."""
    await _sql["request_removal"].run(tx, id=video_id, store_upload_id=store_upload_id)
    await remove_jobs_of_video(tx, video_id)
    await _sql["delete_video"].run(tx, id=video_id)


class RemovalSweep:
    """Removes the objects of removed videos, and videos whose time in the trash is over."""

    def __init__(
        self, database: Database, objects: ObjectStore, *, trash_days: float, settle_s: float = SETTLE_S
    ) -> None:
        self._database = database
        self._objects = objects
        self._trash_days = trash_days
        self._settle_s = settle_s

    def service(self) -> Every:
        return Every("removal-sweep", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> int:
        """Returns the number of removals it handled. Safe to run in several processes, and to be killed."""
        await self._empty_trash()
        async with self._database.transaction() as tx:
            due = await _sql["removals_due"].rows(tx, settle_s=self._settle_s)
        for row in due:
            await self.remove_objects(row["video_id"], row["store_upload_id"])
            async with self._database.transaction() as tx:
                await _sql["forget_removal" if row["is_last"] else "removal_swept"].run(tx, id=row["video_id"])
        return len(due)

    async def _empty_trash(self) -> None:
        while True:
            async with self._database.transaction() as tx:
                due = await trash_due(tx, days=self._trash_days)
                for video_id in due:
                    await remove_video(tx, video_id, store_upload_id=None)
            if not due:
                return

    async def remove_objects(self, video_id: UUID, store_upload_id: str | None) -> None:
        if store_upload_id is not None:
            await self._objects.abort_upload(original_key(video_id), store_upload_id)
        removed = 0
        for prefix in video_prefixes(video_id):
            removed += await self._objects.delete_prefix(prefix)
        log.info("video.removed", video_id=str(video_id), objects=removed)
