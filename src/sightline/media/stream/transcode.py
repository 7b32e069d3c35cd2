"""The job `transcode`: makes the stream that browsers play, poster and sprite sheet; then `sample`, with `transcribe` beside it."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.contracts.jobs import Sample, Transcode, Transcribe
from sightline.db import Database, Transaction
from sightline.jobs import JobContext, JobLimits, JobQueue, Scratch
from sightline.media.input import MediaLimits, process_limits, run_in_sandbox
from sightline.media.job_objects import need_object, put_files
from sightline.media.settings import MediaSettings
from sightline.media.stream.proxy import PLAYLIST_FILE, POSTER_FILE, SPRITE_FILE, STREAM_DIRECTORY, ProxyResult
from sightline.objects import ObjectStore, StoredObject, playlist_key, poster_key, proxy_prefix, sprite_sheet_key
from sightline.videos import (
    PipelineJob,
    Video,
    VideoMoves,
    VideoStatus,
    set_media,
    set_media_note,
    set_sprite_sheet,
)

MAKE_PROXY = "sightline.media.stream.proxy_work:make_proxy"
MAX_SIZE_RATIO = 1.2
"""Size of a stream relative to its original, which it is a copy of in the worst case."""

log = structlog.get_logger(__name__)


class TranscodeJob(PipelineJob[Transcode, ProxyResult]):
    payload = Transcode
    next_type = Sample.job_type
    start_status = VideoStatus.SPLITTING

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        jobs: JobQueue,
        videos: VideoMoves,
        scratch: Scratch,
        settings: MediaSettings,
        is_transcribed: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_transcribed`: speech is written down, beside what follows."""
        super().__init__(database=database, objects=objects, jobs=jobs, videos=videos, scratch=scratch)
        self.limits = JobLimits(
            concurrency=settings.transcode_concurrency,
            time_limit=timedelta(seconds=settings.wall_limit_s) + timedelta(minutes=20),
        )
        self._settings = settings
        self._is_transcribed = is_transcribed

    async def process(self, payload: Transcode, video: Video, context: JobContext) -> ProxyResult:
        video.need_original()
        original = await need_object(self._objects, payload.s3_original_path)
        async with self._scratch.directory(needs_bytes=int(original.size * MAX_SIZE_RATIO)) as directory:
            made = await self._make_proxy(original, directory, context)
            keys = await self._upload(video.id, directory, made)
        await self._remove_stale(proxy_prefix(video.id), keys)
        return made

    async def store(self, tx: Transaction, payload: Transcode, result: ProxyResult) -> Sample | None:
        video_id = payload.video_id
        await set_media(
            tx,
            video_id,
            duration_ms=result.duration_ms,
            fps=result.fps,
            width=result.width,
            height=result.height,
            proxy_path=playlist_key(video_id),
            thumb_path=poster_key(video_id),
        )
        await set_media_note(tx, video_id, result.note)
        await set_sprite_sheet(tx, video_id, None if result.sprite_sheet is None else asdict(result.sprite_sheet))
        if await self._videos.move_if(tx, video_id, VideoStatus.PRINTING) is None:
            return None  # the video is in a later stage already and is not sampled twice
        if self._is_transcribed() and result.has_sound:
            await self._jobs.enqueue(tx, Transcribe(video_id=video_id))
        return Sample(video_id=video_id, s3_original_path=payload.s3_original_path)

    async def on_done_elsewhere(self, tx: Transaction, payload: Transcode) -> None:
        await self._videos.advance(tx, payload.video_id, VideoStatus.PRINTING)

    async def next_job_elsewhere(self, payload: Transcode) -> Sample:
        return Sample(video_id=payload.video_id, s3_original_path=payload.s3_original_path)

    def summary(self, result: ProxyResult) -> dict[str, Any]:
        return asdict(result)

    async def discard(self, video_id: UUID) -> None:
        await self._objects.delete_prefix(proxy_prefix(video_id))
        await self._objects.delete([poster_key(video_id), sprite_sheet_key(video_id)])

    async def _make_proxy(self, original: StoredObject, directory: Path, context: JobContext) -> ProxyResult:
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

    async def _upload(self, video_id: UUID, directory: Path, made: ProxyResult) -> set[str]:
        """Stores the playlist last, so that it never names a segment that is not there. Returns the keys of the stream."""
        stream = directory / STREAM_DIRECTORY
        names = await asyncio.to_thread(lambda: sorted(path.name for path in stream.iterdir()))
        files = {f"{proxy_prefix(video_id)}{name}": stream / name for name in names if name != PLAYLIST_FILE}
        pictures = [(poster_key(video_id), directory / POSTER_FILE)]
        if made.sprite_sheet is not None:
            pictures.append((sprite_sheet_key(video_id), directory / SPRITE_FILE))
        await put_files(self._objects, [*files.items(), *pictures])
        await self._objects.put_file(playlist_key(video_id), stream / PLAYLIST_FILE)
        return {*files, playlist_key(video_id)}
