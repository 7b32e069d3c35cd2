"""Abandoned uploads: completed if all parts are in the store; otherwise aborted and moved to FAILED, which also sends the email."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

import structlog

from sightline.db import Database
from sightline.errors import Conflict, NotFound
from sightline.objects import ORIGINALS_PREFIX, ObjectStore, OpenUpload, PartTag, StoredPart, original_key, tus_prefix
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now
from sightline.uploads.completion import UploadCompletion
from sightline.uploads.plan import complete_parts
from sightline.uploads.store import (
    end_upload,
    known_store_ids,
    list_fully_reported,
    list_idle,
    list_unfinished_aborts,
    start_abort,
)
from sightline.uploads.stored_parts import refresh_parts
from sightline.uploads.upload import Upload, UploadState
from sightline.videos import VideoMoves, VideoStatus

SWEEP_EVERY_S = 300.0

log = structlog.get_logger(__name__)


async def abort_upload(
    database: Database, objects: ObjectStore, moves: VideoMoves, upload: Upload, *, reason: str
) -> None:
    """Deletes the parts, then moves the video to FAILED. Can be repeated after a crash in between."""
    await objects.abort_upload(original_key(upload.video_id), upload.store_upload_id)
    await objects.delete_prefix(tus_prefix(upload.video_id))
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
        complete_after: timedelta,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._objects = objects
        self._moves = moves
        self._completion = completion
        self._idle = idle
        self._complete_after = complete_after
        self._clock = clock

    def service(self) -> Every:
        shortest_s = min(self._idle, self._complete_after).total_seconds()
        return Every("abandoned-uploads", max(1.0, min(SWEEP_EVERY_S, shortest_s)), self.sweep)

    async def sweep(self) -> int:
        """Returns the number of aborted uploads."""
        async with self._database.transaction() as tx:
            reported = await list_fully_reported(tx, idle_s=self._complete_after.total_seconds())
            idle = await list_idle(tx, idle_s=self._idle.total_seconds())
            unfinished = await list_unfinished_aborts(tx)
        for upload in reported:
            parts = await refresh_parts(self._database, self._objects, upload)
            if not self._is_recent(parts, self._complete_after):
                with suppress(Conflict):  # the store refuses the parts; the upload ends when it is abandoned
                    await self._complete(upload, parts)
        ended = 0
        for upload in idle:
            parts = await refresh_parts(self._database, self._objects, upload)
            if not self._is_recent(parts, self._idle):
                ended += await self._end(upload, parts)
        for upload in unfinished:
            ended += await self._end(upload, ())
        return ended + await self._sweep_unknown()

    def _is_recent(self, parts: Sequence[StoredPart], period: timedelta) -> bool:
        """Whether a part arrived within the period, reported or not."""
        return any(part.modified_at >= self._clock() - period for part in parts)

    async def _end(self, upload: Upload, parts: Sequence[StoredPart]) -> bool:
        """Whether the upload was aborted."""
        stored = await self._objects.head(original_key(upload.video_id))
        if stored is not None:
            await self._completion.finish(stored, upload.video_id)  # the original is complete; only the event was lost
            return False
        if complete_parts(upload.plan, parts) is None:
            return await self._abort(upload)
        try:
            await self._complete(upload, parts)
        except Conflict as refused:
            # Parts below the minimum of the store can never be joined.
            log.warning("upload.not_joined", video_id=str(upload.video_id), reason=refused.message)
            return await self._abort(upload, reason=f"the store cannot join the parts: {refused.public_message}")
        return False

    async def _complete(self, upload: Upload, listed: Sequence[StoredPart]) -> None:
        """Completes the upload in the client's place if the parts are the whole file. Raises if the store refuses them."""
        parts = complete_parts(upload.plan, listed)
        if parts is None:
            return
        tags = [PartTag(part.number, part.etag) for part in parts]
        try:
            stored = await self._objects.complete_upload(original_key(upload.video_id), upload.store_upload_id, tags)
        except NotFound:
            return  # completed or aborted in the meantime; the next sweep sees which
        except Conflict as refused:
            if refused.details.get("code") == "InvalidPart":
                return  # a part was sent again in the meantime
            raise
        await self._completion.finish(stored, upload.video_id, parts)
        log.info("upload.completed_for_client", video_id=str(upload.video_id), parts=len(parts))

    async def _abort(self, upload: Upload, *, reason: str | None = None) -> bool:
        async with self._database.transaction() as tx:
            claimed = await start_abort(tx, upload.video_id, idle_s=self._idle.total_seconds())
        if claimed is None:
            return False
        hours = self._idle.total_seconds() / 3600
        reason = reason or f"the upload was abandoned: no part arrived for {hours:g} h"
        await abort_upload(self._database, self._objects, self._moves, claimed, reason=reason)
        return True

    async def _sweep_unknown(self) -> int:
        """Aborts uploads in the store that no row names: a process was killed before it could insert the row.

        A client of the store may also upload directly, for longer than the idle time; its parts show that it is active.
        """
        before = self._clock() - self._idle
        old = [one async for one in self._objects.find_uploads(ORIGINALS_PREFIX) if one.started_at < before]
        async with self._database.transaction() as tx:
            known = await known_store_ids(tx, [one.upload_id for one in old])
        unknown = [one for one in old if one.upload_id not in known and not await self._receives_parts(one)]
        for one in unknown:
            await self._objects.abort_upload(one.key, one.upload_id)
            log.info("upload.unknown_aborted", key=one.key)
        return len(unknown)

    async def _receives_parts(self, upload: OpenUpload) -> bool:
        try:
            return self._is_recent(await self._objects.list_parts(upload.key, upload.upload_id), self._idle)
        except NotFound:
            return False
