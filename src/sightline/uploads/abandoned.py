"""Uploads that nobody goes on with: aborted in the store, FAILED, and a mail by way of that move."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import structlog

from sightline.db import Database
from sightline.errors import NotFound
from sightline.objects import ORIGINALS_PREFIX, original_key
from sightline.objects.store import Objects
from sightline.timing import Clock, repeat, utc_now
from sightline.uploads.completion import Arrivals
from sightline.uploads.plan import fitting
from sightline.uploads.store import (
    end_upload,
    keep_parts,
    known_store_ids,
    list_idle,
    list_unfinished_aborts,
    start_abort,
)
from sightline.uploads.upload import Upload, UploadState
from sightline.videos import VideoMoves, VideoStatus

log = structlog.get_logger(__name__)


async def give_up(database: Database, objects: Objects, moves: VideoMoves, upload: Upload, *, reason: str) -> None:
    """Drops the parts, then says so. Can be repeated after a crash in the middle."""
    await objects.abort_upload(original_key(upload.video_id), upload.store_upload_id)
    async with database.transaction() as tx:
        expected = (UploadState.OPEN, UploadState.ABORTING)
        if await end_upload(tx, upload.video_id, UploadState.ABORTED, expected=expected):
            await moves.move_if(tx, upload.video_id, VideoStatus.FAILED, reason=reason)
            log.info("upload.given_up", video_id=str(upload.video_id), reason=reason)


class AbandonedSweep:
    name = "abandoned-uploads"

    def __init__(
        self,
        database: Database,
        objects: Objects,
        moves: VideoMoves,
        arrivals: Arrivals,
        *,
        idle: timedelta,
        every_s: float = 300.0,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._objects = objects
        self._moves = moves
        self._arrivals = arrivals
        self._idle = idle
        self._every_s = every_s
        self._clock = clock

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self.sweep)

    async def sweep(self) -> int:
        """Says how many uploads were given up."""
        async with self._database.transaction() as tx:
            idle = await list_idle(tx, idle_s=self._idle.total_seconds())
            begun = await list_unfinished_aborts(tx)
        ended = 0
        for upload in idle:
            if not await self._is_alive(upload):
                ended += await self._end(upload)
        for upload in begun:
            ended += await self._end(upload)
        return ended + await self._sweep_unknown()

    async def _is_alive(self, upload: Upload) -> bool:
        """Whether parts arrived lately that the client did not report."""
        try:
            parts = await self._objects.list_parts(original_key(upload.video_id), upload.store_upload_id)
        except NotFound:
            return False
        async with self._database.transaction() as tx:
            await keep_parts(tx, upload.video_id, fitting(upload.plan, parts))
        return any(part.modified_at >= self._clock() - self._idle for part in parts)

    async def _end(self, upload: Upload) -> bool:
        stored = await self._objects.head(original_key(upload.video_id))
        if stored is not None:
            await self._arrivals.settle(stored, upload.video_id)  # it was whole all the time; only the news got lost
            return False
        async with self._database.transaction() as tx:
            taken = await start_abort(tx, upload.video_id, idle_s=self._idle.total_seconds())
        if taken is None:
            return False
        hours = self._idle.total_seconds() / 3600
        reason = f"the upload was abandoned: no part arrived for {hours:g} h"
        await give_up(self._database, self._objects, self._moves, taken, reason=reason)
        return True

    async def _sweep_unknown(self) -> int:
        """Uploads in the store that no row names: begun by a process that was killed before it could write the row."""
        before = self._clock() - self._idle
        old = [one async for one in self._objects.find_uploads(ORIGINALS_PREFIX) if one.started_at < before]
        async with self._database.transaction() as tx:
            known = await known_store_ids(tx, [one.upload_id for one in old])
        unknown = [one for one in old if one.upload_id not in known]
        for one in unknown:
            await self._objects.abort_upload(one.key, one.upload_id)
            log.info("upload.unknown_aborted", key=one.key)
        return len(unknown)
