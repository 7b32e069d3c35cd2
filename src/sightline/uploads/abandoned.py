"""Abandoned uploads: aborted in the store and moved to FAILED, which also sends the email."""

from datetime import timedelta

import structlog

from sightline.db import Database
from sightline.errors import NotFound
from sightline.objects import ORIGINALS_PREFIX, ObjectStore, original_key
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now
from sightline.uploads.completion import UploadCompletion
from sightline.uploads.plan import matching_parts
from sightline.uploads.store import (
    end_upload,
    known_store_ids,
    list_idle,
    list_unfinished_aborts,
    save_parts,
    start_abort,
)
from sightline.uploads.upload import Upload, UploadState
from sightline.videos import VideoMoves, VideoStatus

SWEEP_EVERY_S = 300.0

log = structlog.get_logger(__name__)


async def abort_upload(
    database: Database, objects: ObjectStore, moves: VideoMoves, upload: Upload, *, reason: str
) -> None:
    """Deletes the parts, then moves the video to FAILED. Can be repeated after a crash in between."""
    await objects.abort_upload(original_key(upload.video_id), upload.store_upload_id)
    async with database.transaction() as tx:
        expected = (UploadState.OPEN, UploadState.ABORTING)
        if await end_upload(tx, upload.video_id, UploadState.ABORTED, expected=expected):
            await moves.move_if(tx, upload.video_id, VideoStatus.FAILED, reason=reason)
            log.info("upload.aborted", video_id=str(upload.video_id), reason=reason)


class AbandonedUploads:
    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        moves: VideoMoves,
        completion: UploadCompletion,
        *,
        idle: timedelta,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._objects = objects
        self._moves = moves
        self._completion = completion
        self._idle = idle
        self._clock = clock

    def service(self) -> Every:
        return Every("abandoned-uploads", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> int:
        """Returns the number of aborted uploads."""
        async with self._database.transaction() as tx:
            idle = await list_idle(tx, idle_s=self._idle.total_seconds())
            unfinished = await list_unfinished_aborts(tx)
        ended = 0
        for upload in idle:
            if not await self._is_alive(upload):
                ended += await self._end(upload)
        for upload in unfinished:
            ended += await self._end(upload)
        return ended + await self._sweep_unknown()

    async def _is_alive(self, upload: Upload) -> bool:
        """Whether parts arrived recently that the client did not report."""
        try:
            parts = await self._objects.list_parts(original_key(upload.video_id), upload.store_upload_id)
        except NotFound:
            return False
        async with self._database.transaction() as tx:
            await save_parts(tx, upload.video_id, matching_parts(upload.plan, parts))
        return any(part.modified_at >= self._clock() - self._idle for part in parts)

    async def _end(self, upload: Upload) -> bool:
        stored = await self._objects.head(original_key(upload.video_id))
        if stored is not None:
            await self._completion.finish(stored, upload.video_id)  # the original is complete; only the event was lost
            return False
        async with self._database.transaction() as tx:
            claimed = await start_abort(tx, upload.video_id, idle_s=self._idle.total_seconds())
        if claimed is None:
            return False
        hours = self._idle.total_seconds() / 3600
        reason = f"the upload was abandoned: no part arrived for {hours:g} h"
        await abort_upload(self._database, self._objects, self._moves, claimed, reason=reason)
        return True

    async def _sweep_unknown(self) -> int:
        """Aborts uploads in the store that no row names: a process was killed before it could insert the row."""
        before = self._clock() - self._idle
        old = [one async for one in self._objects.find_uploads(ORIGINALS_PREFIX) if one.started_at < before]
        async with self._database.transaction() as tx:
            known = await known_store_ids(tx, [one.upload_id for one in old])
        unknown = [one for one in old if one.upload_id not in known]
        for one in unknown:
            await self._objects.abort_upload(one.key, one.upload_id)
            log.info("upload.unknown_aborted", key=one.key)
        return len(unknown)
