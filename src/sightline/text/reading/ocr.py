"""The job `ocr`: reads the text on the key frames, stretch by stretch; then `segment_index`."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import astuple
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog

from sightline.contracts.jobs import Ocr, SegmentIndex
from sightline.db import Database, Transaction
from sightline.errors import InvalidInput, PermanentFailure
from sightline.jobs import (
    JobContext,
    JobLimits,
    JobQueue,
    ProcessLimits,
    Sandbox,
    Scratch,
    preload,
    run_in_process,
)
from sightline.objects import ObjectStore
from sightline.text.reading.engines import need_engine
from sightline.text.segments import Box, TextReading, replace_readings
from sightline.text.settings import TextSettings
from sightline.videos import PipelineJob, Video, VideoMoves

FRAMES_PER_CHUNK = 50
"""Frames in one stretch, which is read in one process and committed at once (document 001: 50 to 100)."""
LOOKAHEAD_FRAMES = 6
"""Frames behind a stretch that are shown to its reader too."""
PARALLEL_DOWNLOADS = 8

preload("sightline.text.reading.ocr_work")
log = structlog.get_logger(__name__)


class OcrJob(PipelineJob[Ocr, int]):
    payload = Ocr
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
        processes: int | None = None,
    ) -> None:
        super().__init__(database=database, objects=objects, jobs=jobs, videos=videos, scratch=scratch)
        self.limits = JobLimits(concurrency=1, time_limit=timedelta(hours=6))
        self._settings = settings
        self._installed = need_engine(settings.engine)
        self._engine = self._installed.load()
        preload(*self._engine.LIBRARIES)
        self._processes = processes or os.cpu_count() or 1

    async def check(self, payload: Ocr) -> None:
        await self._model_files(payload)

    async def process(self, payload: Ocr, video: Video, context: JobContext) -> int:
        """Stores the readings; returns the number of frames."""
        times = sorted(_time_of(path) for path in payload.frame_paths)
        await self._read(payload, video, times, await self._model_files(payload), context)
        return len(times)

    async def store(self, tx: Transaction, payload: Ocr, result: int) -> SegmentIndex:
        return SegmentIndex(video_id=payload.video_id)

    def summary(self, result: int) -> dict[str, Any]:
        return {"frames": result}

    async def _model_files(self, payload: Ocr) -> Sequence[Path]:
        """Files that the engine reads for these languages; raises when a language is not installed."""
        return await asyncio.to_thread(self._engine.needed_files, payload.languages)

    async def _read(
        self, payload: Ocr, video: Video, times: list[int], readable: Sequence[Path], context: JobContext
    ) -> None:
        """Stretches are always cut alike and know nothing of each other, so in whichever order they are read, and however
        often, the same readings stand there in the end."""
        stretches = [
            range(first, min(first + FRAMES_PER_CHUNK, len(times))) for first in range(0, len(times), FRAMES_PER_CHUNK)
        ]
        if not stretches:
            async with self._database.transaction() as tx:
                await replace_readings(tx, video.id, [], from_ms=0, until_ms=None)
            return
        waiting, done = iter(stretches), [0.0] * len(stretches)

        async def lane() -> None:
            for stretch in waiting:
                number = stretch.start // FRAMES_PER_CHUNK

                def tell(fraction: float, _: str | None, number: int = number) -> None:
                    done[number] = fraction
                    context.progress(sum(done) / len(done), None)

                readings = await self._read_stretch(payload, video, times, stretch, readable, tell)
                from_ms = 0 if stretch.start == 0 else times[stretch.start]
                until_ms = None if stretch.stop == len(times) else times[stretch.stop]
                async with self._database.transaction() as tx:
                    await replace_readings(tx, video.id, readings, from_ms=from_ms, until_ms=until_ms)
                tell(1.0, None)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._processes, len(stretches))):
                    group.create_task(lane())
        except ExceptionGroup as several:
            raise several.exceptions[0] from several

    async def _read_stretch(
        self, payload: Ocr, video: Video, times: list[int], stretch: range, readable: Sequence[Path], tell: Any
    ) -> list[TextReading]:
        """With frames on either side, which tell what stands still and what comes to be read a little later."""
        seen = range(max(0, stretch.start - 1), min(len(times), stretch.stop + LOOKAHEAD_FRAMES))
        last_end = max(video.duration_ms or 0, times[-1] + 1)
        ends = {at: times[at + 1] if at + 1 < len(times) else last_end for at in seen}
        async with self._scratch.directory() as directory:
            await self._fetch(payload, [times[at] for at in seen], directory)
            found = await run_in_process(
                read_chunk_in_child,
                {
                    "frames": [[times[at], ends[at]] for at in seen],
                    "first": stretch.start - seen.start,
                    "until": stretch.stop - seen.start,
                    "languages": list(payload.languages),
                    "min_confidence": payload.min_confidence,
                    "engine": astuple(self._installed),
                },
                tell,
                limits=ProcessLimits(
                    cpu_s=self._settings.cpu_limit_s, memory_bytes=self._settings.memory_limit_bytes, nice=5
                ),
                directory=directory,
                sandbox=Sandbox(readable=tuple(map(str, readable))),
            )
        if found is None:
            raise PermanentFailure("the reader gave no answer")
        return [
            TextReading(text, start, end, confidence, Box(*box), language)
            for text, start, end, confidence, box, language in found["readings"]
        ]

    async def _fetch(self, payload: Ocr, times: list[int], directory: Path) -> None:
        keys = {_time_of(path): path for path in payload.frame_paths}
        waiting = iter(times)

        async def lane() -> None:
            for at_ms in waiting:
                content = await self._objects.get(keys[at_ms])
                await asyncio.to_thread((directory / f"{at_ms}.jpg").write_bytes, content)

        await asyncio.gather(*(lane() for _ in range(min(PARALLEL_DOWNLOADS, len(times)))))


def read_chunk_in_child(argument: dict[str, Any], progress: Any) -> dict[str, Any]:
    # Imported in the process that reads: the one that asks never loads what looks at pictures.
    from sightline.text.reading.ocr_work import read_chunk

    return read_chunk(argument, progress)


def _time_of(path: str) -> int:
    name = path.rpartition("/")[2].removesuffix(".jpg")
    if not name.isdecimal():
        raise InvalidInput(f"frame_paths: {path!r} does not end in a time in ms and .jpg")
    return int(name)
