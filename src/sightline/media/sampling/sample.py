"""sample: the unique key frames of the original, each under its time; then `ocr`."""

import os
from contextlib import aclosing
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.contracts.jobs import Ocr, Sample
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits, JobQueue, Scratch, preload
from sightline.media.input import MediaLimits, process_limits
from sightline.media.job_objects import need_object, put_files
from sightline.media.sampling.range_sampler import RangeSampler
from sightline.media.settings import MediaSettings
from sightline.objects import ObjectStore, StoredObject, frame_key, frames_prefix
from sightline.videos import Video, VideoMoves, VideoStatus, get_video

ROOM = 1.5
"""What the frames of a video may take, of its own size. Those of film are stored, and gone from here, range by range."""

preload("sightline.media.sampling.sample_work")
log = structlog.get_logger(__name__)


class SampleJob(Job[Sample]):
    payload = Sample

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        jobs: JobQueue,
        videos: VideoMoves,
        scratch: Scratch,
        settings: MediaSettings,
        languages: tuple[str, ...] = ("eng",),
        processes: int | None = None,
    ) -> None:
        """`languages` are those that the text is to be read in."""
        self.limits = JobLimits(
            concurrency=1, time_limit=timedelta(seconds=settings.wall_limit_s) + timedelta(minutes=20)
        )
        self._database = database
        self._objects = objects
        self._jobs = jobs
        self._videos = videos
        self._scratch = scratch
        self._settings = settings
        self._languages = languages
        self._processes = processes or os.cpu_count() or 1

    async def run(self, payload: Sample, context: JobContext) -> None:
        video = await self._take_up(payload.video_id)
        if video is None:
            return  # removed meanwhile
        original = await need_object(self._objects, payload.s3_original_path)
        async with self._scratch.directory(needs_bytes=int(original.size * ROOM)) as directory:
            keys, ranges = await self._sample(payload, video, original, directory, context)
        log.info("sample.made", kept=len(keys), ranges=ranges)
        await self._remove_stale(video.id, set(keys))
        await self._finish(payload, keys, ranges, context)

    async def on_failed(self, tx: Transaction, payload: Sample, error: dict[str, Any]) -> None:
        await self._videos.move_if(tx, payload.video_id, VideoStatus.FAILED, reason=error["message"])

    async def _take_up(self, video_id: UUID) -> Video | None:
        async with self._database.transaction() as tx:
            await self._videos.resume(tx, video_id, reason="sample was tried again")
            return await get_video(tx, video_id)

    async def _sample(
        self, payload: Sample, video: Video, original: StoredObject, directory: Path, context: JobContext
    ) -> tuple[list[str], int]:
        """Stores the kept frames; returns their keys in the order of time, and in how many ranges they were sampled."""
        argument = {
            "readable": await self._objects.readable(original.key),
            "media_limits": asdict(MediaLimits.of(self._settings)),
            "target_fps": payload.target_fps,
            "threshold": payload.dedupe_threshold,
            "duration_s": (video.duration_ms or 0) / 1000,
        }
        ranges = 1

        def report(fraction: float, count: int) -> None:
            nonlocal ranges
            ranges = count
            context.progress(0.98 * fraction, f"{count} ranges" if count > 1 else None)

        sampler = RangeSampler(
            argument,
            processes=self._processes,
            limits=process_limits(self._settings),
            directory=directory,
            report=report,
        )
        keys: list[str] = []
        async with aclosing(sampler.sample()) as sampled:
            async for frames in sampled:
                files = [(frame_key(video.id, at_ms), path) for at_ms, path in frames.items()]
                await put_files(self._objects, files)
                keys += [key for key, _ in files]
        return keys, ranges

    async def _remove_stale(self, video_id: UUID, present: set[str]) -> None:
        """Frames of an earlier run that kept others."""
        stale = [one.key async for one in self._objects.find(frames_prefix(video_id)) if one.key not in present]
        if stale:
            await self._objects.delete(stale)

    async def _finish(self, payload: Sample, keys: list[str], ranges: int, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            is_gone = await get_video(tx, payload.video_id) is None
        if is_gone:
            await self._objects.delete_prefix(frames_prefix(payload.video_id))
            return
        async with context.finishing(result={"frames": len(keys), "ranges": ranges}) as tx:
            reading = Ocr(video_id=payload.video_id, frame_paths=tuple(keys), languages=self._languages)
            await self._jobs.enqueue(tx, reading)
