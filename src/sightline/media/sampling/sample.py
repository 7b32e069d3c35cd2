"""The job `sample`: stores the unique key frames of the original, each under its time; then `ocr`."""

import asyncio
import os
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.contracts.jobs import Ocr, Sample
from sightline.db import Database, Transaction
from sightline.jobs import JobContext, JobLimits, JobQueue, Scratch, preload
from sightline.media.input import MediaLimits, process_limits
from sightline.media.job_objects import need_object, put_files
from sightline.media.sampling.overview_store import remove_overview, replace_overview
from sightline.media.sampling.range_sampler import RangeSampler
from sightline.media.settings import MediaSettings
from sightline.objects import ObjectStore, StoredObject, frame_key, frame_ms, frames_prefix
from sightline.videos import PipelineJob, Video, VideoMoves, frames_stored

MAX_SIZE_RATIO = 1.5
"""Size of the frames on disk relative to the video. Frames of a long video are stored and removed range by range."""

preload("sightline.media.sampling.sample_work")
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SampledFrames:
    keys: list[str]
    """In the order of time."""
    ranges: int
    """Parts of the video that were sampled in parallel."""
    overview_ms: list[int]
    """Times of the frames that show something new."""


class SampleJob(PipelineJob[Sample, SampledFrames]):
    payload = Sample
    next_type = Ocr.job_type

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        jobs: JobQueue,
        videos: VideoMoves,
        scratch: Scratch,
        settings: MediaSettings,
        languages: Callable[[], tuple[str, ...]],
        processes: int | None = None,
    ) -> None:
        """`languages` are passed on to `ocr`, which reads the text in them. They may change while it runs."""
        super().__init__(database=database, objects=objects, jobs=jobs, videos=videos, scratch=scratch)
        self.limits = JobLimits(
            concurrency=1, time_limit=timedelta(seconds=settings.wall_limit_s) + timedelta(minutes=20)
        )
        self._settings = settings
        self._languages = languages
        self._processes = processes or os.cpu_count() or 1

    async def process(self, payload: Sample, video: Video, context: JobContext) -> SampledFrames:
        video.need_original()
        original = await need_object(self._objects, payload.s3_original_path)
        async with self._scratch.directory(needs_bytes=int(original.size * MAX_SIZE_RATIO)) as directory:
            sampled = await self._sample(payload, video, original, directory, context)
        log.info("sample.made", kept=len(sampled.keys), overview=len(sampled.overview_ms), ranges=sampled.ranges)
        await self._remove_stale(frames_prefix(video.id), set(sampled.keys))
        return sampled

    async def store(self, tx: Transaction, payload: Sample, result: SampledFrames) -> Ocr:
        await frames_stored(tx, payload.video_id)
        await replace_overview(tx, payload.video_id, result.overview_ms)
        return Ocr(video_id=payload.video_id, frame_paths=tuple(result.keys), languages=self._languages())

    async def on_done_elsewhere(self, tx: Transaction, payload: Sample) -> None:
        await frames_stored(tx, payload.video_id)
        await remove_overview(tx, payload.video_id)

    async def next_job_elsewhere(self, payload: Sample) -> Ocr:
        stored = [one.key async for one in self._objects.find(frames_prefix(payload.video_id))]
        times = {key: at_ms for key in stored if (at_ms := frame_ms(key)) is not None}
        return Ocr(
            video_id=payload.video_id,
            frame_paths=tuple(sorted(times, key=times.__getitem__)),
            languages=self._languages(),
        )

    def summary(self, result: SampledFrames) -> dict[str, Any]:
        return {"frames": len(result.keys), "overview": len(result.overview_ms), "ranges": result.ranges}

    async def discard(self, video_id: UUID) -> None:
        await self._objects.delete_prefix(frames_prefix(video_id))

    async def _sample(
        self, payload: Sample, video: Video, original: StoredObject, directory: Path, context: JobContext
    ) -> SampledFrames:
        """Stores the kept frames, range by range."""
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
        return SampledFrames(keys, ranges, await asyncio.to_thread(sampler.overview))
