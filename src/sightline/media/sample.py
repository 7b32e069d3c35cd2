"""sample: the unique key frames of the original, each under its time; then `ocr`."""

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.contracts.jobs import Ocr, Sample
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits, JobQueue
from sightline.jobs.scratch import Scratch
from sightline.media.caps import Caps
from sightline.media.isolated import limits_of, run_isolated
from sightline.media.keys import frames_prefix
from sightline.media.likeness import CELLS, DEFAULT_GRID, Mark
from sightline.media.sampling import Range, choose, cut_ranges, packed_size, unpack
from sightline.media.settings import MediaSettings
from sightline.media.stored import need_object, put_files
from sightline.objects.objects import Objects, StoredObject
from sightline.videos import Video, VideoMoves, VideoStatus, get_video

SAMPLE_RANGE = "sightline.media.sample_work:sample_range"
WRITE_FRAMES = "sightline.media.sample_work:write_frames"
MARKS, TIMES = "marks.bin", "times.json"  # as the work names them; it is not imported here, nor what it needs to decode
ROOM = 1.5
_TILES, _PAIRS = DEFAULT_GRID.rows * DEFAULT_GRID.columns, CELLS * CELLS

log = structlog.get_logger(__name__)


class SampleJob(Job[Sample]):
    payload = Sample

    def __init__(
        self,
        *,
        database: Database,
        objects: Objects,
        jobs: JobQueue,
        videos: VideoMoves,
        scratch: Scratch,
        settings: MediaSettings,
        processes: int | None = None,
    ) -> None:
        self.limits = JobLimits(
            concurrency=1, time_limit=timedelta(seconds=settings.wall_limit_s) + timedelta(minutes=20)
        )
        self._database = database
        self._objects = objects
        self._jobs = jobs
        self._videos = videos
        self._scratch = scratch
        self._settings = settings
        self._processes = processes or os.cpu_count() or 1

    async def run(self, payload: Sample, context: JobContext) -> None:
        video = await self._take_up(payload.video_id)
        if video is None:
            return  # removed meanwhile
        original = await need_object(self._objects, payload.s3_original_path)
        async with self._scratch.directory(needs_bytes=int(original.size * ROOM)) as directory:
            kept = await self._sample(payload, video, original, directory, context)
            keys = [f"{frames_prefix(video.id)}{at_ms}.jpg" for at_ms in sorted(kept)]
            await put_files(self._objects, [(key, kept[at]) for key, at in zip(keys, sorted(kept), strict=True)])
        await self._remove_stale(video.id, set(keys))
        await self._finish(payload, keys, context)

    async def on_failed(self, tx: Transaction, payload: Sample, error: dict[str, Any]) -> None:
        await self._videos.move_if(tx, payload.video_id, VideoStatus.FAILED, reason=error["message"])

    async def _take_up(self, video_id: UUID) -> Video | None:
        async with self._database.transaction() as tx:
            await self._videos.resume(tx, video_id, reason="sample was tried again")
            return await get_video(tx, video_id)

    async def _sample(
        self, payload: Sample, video: Video, original: StoredObject, directory: Path, context: JobContext
    ) -> dict[int, Path]:
        """The kept frames, by their times."""
        duration_s = (video.duration_ms or 0) / 1000
        ranges = cut_ranges(duration_s, payload.target_fps, self._processes)
        argument = {
            "readable": await self._objects.readable(original.key),
            "caps": asdict(Caps.of(self._settings)),
            "target_fps": payload.target_fps,
            "threshold": payload.dedupe_threshold,
            "duration_s": duration_s,
            "threads": max(1, self._processes // len(ranges)),
        }
        places = [directory / str(number) for number in range(len(ranges))]
        for place in places:
            await asyncio.to_thread(place.mkdir)
        done = [0.0] * len(ranges)

        def tell(number: int, fraction: float) -> None:
            done[number] = fraction
            context.progress(0.95 * sum(done) / len(done), f"{len(ranges)} ranges" if len(ranges) > 1 else None)

        async def sample(number: int) -> list[int]:
            found = await run_isolated(
                SAMPLE_RANGE,
                argument | {"range": _as_json(ranges[number])},
                lambda fraction, _: tell(number, fraction),
                limits=limits_of(self._settings),
                directory=places[number],
            )
            tell(number, 1.0)
            times: list[int] = found["kept"]
            return times

        written = await _together([sample(number) for number in range(len(ranges))])
        kept = await asyncio.to_thread(choose, _candidates(places), payload.dedupe_threshold)
        there = {at_ms: places[number] for number, times in enumerate(written) for at_ms in times}
        await self._write_missing(argument, ranges, places, [at_ms for at_ms in kept if at_ms not in there], there)
        log.info("sample.made", kept=len(kept), ranges=len(ranges))
        return {at_ms: there[at_ms] / f"{at_ms}.jpg" for at_ms in kept}

    async def _write_missing(
        self,
        argument: dict[str, Any],
        ranges: list[Range],
        places: list[Path],
        missing: list[int],
        there: dict[int, Path],
    ) -> None:
        """A range that began in the middle of something still may have passed over a frame that a run from the beginning keeps."""
        for number, place in enumerate(places):
            times = await asyncio.to_thread(_times_of, place)
            wanted = sorted(set(missing) & set(times))
            if wanted:
                await run_isolated(
                    WRITE_FRAMES,
                    argument | {"range": _as_json(ranges[number]), "times": wanted},
                    limits=limits_of(self._settings),
                    directory=place,
                )
                there |= dict.fromkeys(wanted, place)

    async def _remove_stale(self, video_id: UUID, present: set[str]) -> None:
        stale = [one.key async for one in self._objects.find(frames_prefix(video_id)) if one.key not in present]
        if stale:
            await self._objects.delete(stale)

    async def _finish(self, payload: Sample, keys: list[str], context: JobContext) -> None:
        async with self._database.transaction() as tx:
            is_gone = await get_video(tx, payload.video_id) is None
        if is_gone:
            await self._objects.delete_prefix(frames_prefix(payload.video_id))
            return
        async with context.finishing(result={"frames": len(keys)}) as tx:
            await self._jobs.enqueue(tx, Ocr(video_id=payload.video_id, frame_paths=tuple(keys)))


async def _together(works: list[Any]) -> list[list[int]]:
    """All at once; if one fails the others are stopped, and its error is the one that counts."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in works]
    except ExceptionGroup as several:
        raise several.exceptions[0] from several
    return [task.result() for task in tasks]


def _as_json(wanted: Range) -> list[int | None]:
    return [wanted.first, wanted.until]


def _candidates(places: list[Path]) -> Iterator[tuple[int, Mark]]:
    """Of all ranges, in the order of time."""
    size = packed_size(_TILES, _PAIRS)
    for place in places:
        with (place / MARKS).open("rb") as marks:
            for at_ms in _times_of(place):
                yield at_ms, unpack(marks.read(size), _TILES, _PAIRS)


def _times_of(place: Path) -> list[int]:
    times: list[int] = json.loads((place / TIMES).read_text())
    return times
