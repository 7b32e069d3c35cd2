"""The `ocr` job: reads the text on the key frames chunk by chunk, then enqueues `segment_index`."""

import asyncio
import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from sightline.contracts.jobs import Ocr, SegmentIndex
from sightline.db import Database, Transaction
from sightline.errors import InvalidInput
from sightline.jobs import JobContext, JobLimits, JobQueue, Scratch, SharedPlaces
from sightline.objects import ObjectStore
from sightline.text.reading.child import ReadingProcess
from sightline.text.segments import Box, TextReading, replace_readings
from sightline.text.settings import TextSettings
from sightline.videos import PipelineJob, Video, VideoMoves

FRAMES_PER_CHUNK = 100
"""A chunk is read in one child process and stored in one transaction (document 001: 50 to 100)."""
LOOKAHEAD_FRAMES = 6
"""Frames after a chunk that its reader sees too."""
PARALLEL_DOWNLOADS = 8
VIDEOS_AT_A_TIME = 8
"""Videos that share the reading processes of a worker, chunk by chunk in turn, so that none waits for the end of a long one."""


class OcrJob(PipelineJob[Ocr, int]):
    payload = Ocr
    next_type = SegmentIndex.job_type
    failure_prefix = "the text of the video could not be read: "

    def __init__(
        self,
        *,
        database: Database,
        objects: ObjectStore,
        jobs: JobQueue,
        videos: VideoMoves,
        scratch: Scratch,
        settings: TextSettings,
        models: Path | None = None,
        processes: int | None = None,
        may_be_unconfined: bool = False,
    ) -> None:
        """`models` is the directory of added languages."""
        super().__init__(database=database, objects=objects, jobs=jobs, videos=videos, scratch=scratch)
        # Generous, because a video that shares the processes is read more slowly; each chunk has limits of its own.
        self.limits = JobLimits(concurrency=VIDEOS_AT_A_TIME, time_limit=timedelta(hours=24))
        self._settings = settings
        self._process = ReadingProcess(settings, models=models, may_be_unconfined=may_be_unconfined)
        self._processes = processes or os.cpu_count() or 1
        self._places = SharedPlaces(self._processes)

    async def check(self, payload: Ocr) -> None:
        await self._process.model_files(payload.languages)

    async def process(self, payload: Ocr, video: Video, context: JobContext) -> int:
        """Stores the readings; returns the number of frames."""
        times = sorted(_time_of(path) for path in payload.frame_paths)
        await self._read(payload, video, times, await self._process.model_files(payload.languages), context)
        return len(times)

    async def store(self, tx: Transaction, payload: Ocr, result: int) -> SegmentIndex:
        return SegmentIndex(video_id=payload.video_id)

    async def next_job_elsewhere(self, payload: Ocr) -> SegmentIndex:
        return SegmentIndex(video_id=payload.video_id)

    def summary(self, result: int) -> dict[str, Any]:
        return {"frames": result}

    async def _read(
        self, payload: Ocr, video: Video, times: list[int], readable: Sequence[Path], context: JobContext
    ) -> None:
        """Chunks have fixed borders and are independent, so that the stored readings are the same in whatever order, and
        however often, they are read."""
        chunks = [
            range(first, min(first + FRAMES_PER_CHUNK, len(times))) for first in range(0, len(times), FRAMES_PER_CHUNK)
        ]
        if not chunks:
            async with self._database.transaction() as tx:
                await replace_readings(tx, video.id, [], from_ms=0, until_ms=None)
            return
        remaining, done = iter(chunks), [0.0] * len(chunks)

        async def read_chunks() -> None:
            for chunk in remaining:
                number = chunk.start // FRAMES_PER_CHUNK

                def report_progress(fraction: float, _: str | None, number: int = number) -> None:
                    done[number] = fraction
                    context.progress(sum(done) / len(done), None)

                async with self._places.turn(video.id):
                    readings = await self._read_chunk(payload, video, times, chunk, readable, report_progress)
                from_ms = 0 if chunk.start == 0 else times[chunk.start]
                until_ms = None if chunk.stop == len(times) else times[chunk.stop]
                async with self._database.transaction() as tx:
                    await replace_readings(tx, video.id, readings, from_ms=from_ms, until_ms=until_ms)
                report_progress(1.0, None)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._processes, len(chunks))):
                    group.create_task(read_chunks())
        except ExceptionGroup as group_error:
            raise group_error.exceptions[0] from group_error

    async def _read_chunk(
        self, payload: Ocr, video: Video, times: list[int], chunk: range, readable: Sequence[Path], report_progress: Any
    ) -> list[TextReading]:
        """Reads a chunk with the frames around it, which show what is static and what becomes readable later."""
        seen = range(max(0, chunk.start - 1), min(len(times), chunk.stop + LOOKAHEAD_FRAMES))
        last_end = max(video.duration_ms or 0, times[-1] + 1)
        ends = {at: times[at + 1] if at + 1 < len(times) else last_end for at in seen}
        async with self._scratch.directory() as directory:
            await self._fetch(payload, [times[at] for at in seen], directory)
            found = await self._process.run(
                read_chunk_in_child,
                {
                    "frames": [[times[at], ends[at]] for at in seen],
                    "first": chunk.start - seen.start,
                    "until": chunk.stop - seen.start,
                    "min_confidence": payload.min_confidence,
                },
                languages=payload.languages,
                readable=readable,
                directory=directory,
                cpu_s=self._settings.cpu_limit_s,
                progress=report_progress,
            )
        return [
            TextReading(text, start, end, confidence, Box(*box), language)
            for text, start, end, confidence, box, language in found["readings"]
        ]

    async def _fetch(self, payload: Ocr, times: list[int], directory: Path) -> None:
        keys = {_time_of(path): path for path in payload.frame_paths}
        remaining = iter(times)

        async def download_frames() -> None:
            for at_ms in remaining:
                content = await self._objects.get(keys[at_ms])
                await asyncio.to_thread((directory / f"{at_ms}.jpg").write_bytes, content)

        await asyncio.gather(*(download_frames() for _ in range(min(PARALLEL_DOWNLOADS, len(times)))))


def read_chunk_in_child(argument: dict[str, Any], progress: Any) -> dict[str, Any]:
    # Imported in the child process: the worker never loads the image libraries.
    from sightline.text.reading.ocr_work import read_chunk

    return read_chunk(argument, progress)


def _time_of(path: str) -> int:
    name = path.rpartition("/")[2].removesuffix(".jpg")
    if not name.isdecimal():
        raise InvalidInput(f"frame_paths: {path!r} does not end in a time in ms and .jpg")
    return int(name)
