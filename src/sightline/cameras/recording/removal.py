"""Removal of recordings: objects first, then their rows, so that a process that is killed in between leaves work and no orphan."""

from pathlib import Path

import structlog

from sightline.db import Database, load_queries
from sightline.objects import ObjectStore, recordings_prefix
from sightline.supervisor import Every

SWEEP_EVERY_S = 20.0
UNFINISHED_S = 900.0
"""Storing a segment takes seconds; a row that is older was left by a process that was killed."""
BATCH_SIZE = 500

_sql = load_queries(Path(__file__).with_name("removal.sql"))

log = structlog.get_logger(__name__)


class RecordingSweep:
    """Safe to run in several processes and to kill at any time: removing an object twice does no harm."""

    def __init__(self, database: Database, objects: ObjectStore, *, unfinished_s: float = UNFINISHED_S) -> None:
        self._database = database
        self._objects = objects
        self._unfinished_s = unfinished_s

    def service(self) -> Every:
        return Every("recording-sweep", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> int:
        """Returns how many segments it removed."""
        removed = await self.remove_due()
        async with self._database.transaction() as tx:
            cameras = await _sql["deleted_cameras"].rows(tx, settle_s=self._unfinished_s)
        for camera in cameras:
            key = camera["camera_key"]
            count = await self._objects.delete_prefix(recordings_prefix(key))
            async with self._database.transaction() as tx:
                await _sql["forget_camera" if camera["is_last"] else "camera_swept"].run(tx, camera_key=key)
            log.info("recordings.of_camera_removed", camera_key=str(key), segments=count)
            removed += count
        return removed

    async def remove_due(self) -> int:
        """Segments that expired, were left unfinished, or were chosen by a rule."""
        removed = 0
        while True:
            async with self._database.transaction() as tx:
                due = await _sql["claim_removals"].rows(tx, unfinished_s=self._unfinished_s, limit=BATCH_SIZE)
            if not due:
                return removed
            await self._objects.delete([row["key"] for row in due])
            async with self._database.transaction() as tx:
                removed += await _sql["delete_removed"].run(tx, ids=[row["recording_id"] for row in due])
