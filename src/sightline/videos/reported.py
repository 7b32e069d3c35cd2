"""Reported statuses: what workers of other programs write to `videos.status` in the words of document 001 (ADR 0047).

A status `ready` is taken down by a trigger and followed here, so that the video is never COMPLETED without its
announcement, its live message and its search rows.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

import asyncpg
import structlog

from sightline.db import Database, Listener, Transaction, load_queries
from sightline.jobs import EXTERNAL_CHANNEL, list_jobs
from sightline.supervisor import Every, NextRun
from sightline.videos.moves import VideoMoves
from sightline.videos.video import VideoStatus

POLL_S = 5.0
BUSY_S = 0.5
"""A video that another transaction has locked is looked at again after this long."""

_sql = load_queries(Path(__file__).with_name("queries.sql"))

log = structlog.get_logger(__name__)

CompleteVideo = Callable[[Transaction, UUID], Awaitable[object | None]]
"""Indexes and completes a video; None if that is not possible."""


class ReportedStatuses:
    def __init__(self, database: Database, listener: Listener, moves: VideoMoves, complete: CompleteVideo) -> None:
        self._database = database
        self._listener = listener
        self._moves = moves
        self._complete = complete

    def service(self) -> Every:
        return Every(
            "reported-statuses",
            POLL_S,
            self.follow_all,
            wake_on=lambda wake: self._listener.subscribe(EXTERNAL_CHANNEL, lambda _: wake()),
        )

    async def follow_all(self) -> NextRun:
        async with self._database.transaction() as tx:
            ids = [row["id"] for row in await _sql["reported_videos"].rows(tx)]
        is_busy = False
        for video_id in ids:
            try:
                is_busy |= not await self.follow(video_id)
            except asyncpg.LockNotAvailableError:
                is_busy = True
        return NextRun(BUSY_S if is_busy else POLL_S)

    async def follow(self, video_id: UUID) -> bool:
        """False if another transaction has the video locked."""
        async with self._database.transaction() as tx:
            reported: str | None = await _sql["take_reported"].value(tx, id=video_id)
            if reported is None:
                return False
            is_followed = await self._follow(tx, video_id, reported)
        if not is_followed:
            log.warning("video.report_ignored", video_id=str(video_id), reported=reported)
        return True

    async def _follow(self, tx: Transaction, video_id: UUID, reported: str) -> bool:
        match reported:
            case "ready":
                return await self._complete(tx, video_id) is not None
            case "processing":
                await self._moves.resume(tx, video_id, reason="another program processes it again")
                await self._moves.advance(tx, video_id, VideoStatus.PROCESSING)
            case "failed":
                await self._moves.move_if(tx, video_id, VideoStatus.FAILED, reason=await self._reason(tx, video_id))
        return True

    async def _reason(self, tx: Transaction, video_id: UUID) -> str:
        for job in await list_jobs(tx, video_id=video_id, status="failed", limit=1):
            if job.error and job.error.get("message"):
                return f"{job.job_type}: {job.error['message']}"
        return "a worker reported that processing failed"
