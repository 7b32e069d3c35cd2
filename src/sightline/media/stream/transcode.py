"""transcode: the stream that browsers play, and the poster; then `sample`."""

import asyncio
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.contracts.jobs import Sample, Transcode
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits, JobQueue, Scratch
from sightline.media.input import MediaLimits, process_limits, run_in_sandbox
from sightline.media.job_objects import need_object, put_files
from sightline.media.settings import MediaSettings
from sightline.media.stream.proxy import PLAYLIST_FILE, POSTER_FILE, STREAM_DIRECTORY, ProxyResult
from sightline.objects import ObjectStore, StoredObject, playlist_key, poster_key, proxy_prefix
from sightline.videos import Video, VideoMoves, VideoStatus, get_video, set_media

MAKE_PROXY = "sightline.media.stream.proxy_work:make_proxy"
ROOM = 1.2
"""What a stream may take more than its original, which it is a copy of in the worst case."""

log = structlog.get_logger(__name__)


class TranscodeJob(Job[Transcode]):
    payload = Transcode

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        jobs: JobQueue,
        videos: VideoMoves,
        scratch: Scratch,
        settings: MediaSettings,
    ) -> None:
        self.limits = JobLimits(
            concurrency=settings.transcode_concurrency,
            time_limit=timedelta(seconds=settings.wall_limit_s) + timedelta(minutes=20),
        )
        self._database = database
        self._objects = objects
        self._jobs = jobs
        self._videos = videos
        self._scratch = scratch
        self._settings = settings

    async def run(self, payload: Transcode, context: JobContext) -> None:
        if await self._take_up(payload.video_id) is None:
            return  # removed meanwhile
        original = await need_object(self._objects, payload.s3_original_path)
        async with self._scratch.directory(needs_bytes=int(original.size * ROOM)) as directory:
            made = await self._make(original, directory, context)
            segments = await self._store(payload.video_id, directory)
        await self._remove_stale(payload.video_id, segments)
        await self._finish(payload, made, context)

    async def on_failed(self, tx: Transaction, payload: Transcode, error: dict[str, Any]) -> None:
        await self._videos.move_if(tx, payload.video_id, VideoStatus.FAILED, reason=error["message"])

    async def _take_up(self, video_id: UUID) -> Video | None:
        async with self._database.transaction() as tx:
            await self._videos.resume(tx, video_id, reason="transcode was tried again")
            await self._videos.move_if(tx, video_id, VideoStatus.PROCESSING)
            await self._videos.move_if(tx, video_id, VideoStatus.SPLITTING)
            return await get_video(tx, video_id)

    async def _make(self, original: StoredObject, directory: Path, context: JobContext) -> ProxyResult:
        argument = {
            "readable": await self._objects.readable(original.key),
            "media_limits": asdict(MediaLimits.of(self._settings)),
            "max_height": self._settings.proxy_height,
            "segment_s": self._settings.segment_s,
        }
        found = await run_in_sandbox(
            MAKE_PROXY, argument, context.progress, limits=process_limits(self._settings), directory=directory
        )
        made = ProxyResult.from_json(found)
        log.info("transcode.made", copied=made.was_copied, reasons=list(made.reasons), duration_ms=made.duration_ms)
        return made

    async def _store(self, video_id: UUID, directory: Path) -> set[str]:
        """The playlist last: it must name nothing that is not there. Returns the keys of the stream."""
        stream = directory / STREAM_DIRECTORY
        names = await asyncio.to_thread(lambda: sorted(path.name for path in stream.iterdir()))
        files = {f"{proxy_prefix(video_id)}{name}": stream / name for name in names if name != PLAYLIST_FILE}
        await put_files(self._objects, [*files.items(), (poster_key(video_id), directory / POSTER_FILE)])
        await self._objects.put_file(playlist_key(video_id), stream / PLAYLIST_FILE)
        return {*files, playlist_key(video_id)}

    async def _remove_stale(self, video_id: UUID, present: set[str]) -> None:
        """Segments of an earlier run that had more of them."""
        stale = [one.key async for one in self._objects.find(proxy_prefix(video_id)) if one.key not in present]
        if stale:
            await self._objects.delete(stale)

    async def _finish(self, payload: Transcode, made: ProxyResult, context: JobContext) -> None:
        video_id = payload.video_id
        async with self._database.transaction() as tx:
            is_gone = await get_video(tx, video_id) is None
        if is_gone:
            await self._objects.delete_prefix(proxy_prefix(video_id))
            await self._objects.delete([poster_key(video_id)])
            return
        async with context.finishing(result=asdict(made)) as tx:
            await set_media(
                tx,
                video_id,
                duration_ms=made.duration_ms,
                fps=made.fps,
                width=made.width,
                height=made.height,
                proxy_path=playlist_key(video_id),
                thumb_path=poster_key(video_id),
            )
            # A video that has gone further already is not sampled twice.
            if await self._videos.move_if(tx, video_id, VideoStatus.PRINTING) is not None:
                await self._jobs.enqueue(tx, Sample(video_id=video_id, s3_original_path=payload.s3_original_path))
