"""The range sampler: samples ranges of a video in parallel and keeps the frames that one pass would have kept."""

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from sightline.jobs import ProcessLimits
from sightline.media.input import run_in_sandbox
from sightline.media.sampling import ranges as sampling
from sightline.media.sampling.frame_similarity import (
    FINGERPRINT_BYTES,
    Fingerprint,
    FrameSelector,
    fingerprint_from_bytes,
)
from sightline.media.sampling.overview_frames import OverviewFrames
from sightline.media.sampling.ranges import TickRange, select_frames

FIND_KEYFRAMES = "sightline.media.sampling.sample_work:find_keyframes"
SAMPLE_RANGE = "sightline.media.sampling.sample_work:sample_range"
WRITE_FRAMES = "sightline.media.sampling.sample_work:write_frames"
# File names of `sample_work`, which is not imported here because it loads a decoder.
FINGERPRINTS, TIMES = "fingerprints.bin", "times.json"

Frames = dict[int, Path]
"""JPEG files by their time in ms."""


class RangeSampler:
    """Runs sandboxed work on the ranges of one video. `argument` is passed to each of them."""

    def __init__(
        self,
        argument: dict[str, Any],
        *,
        processes: int,
        limits: ProcessLimits,
        directory: Path,
        report: Callable[[float, int], None],
    ) -> None:
        """`report` is called with the progress from 0 to 1 and the number of ranges."""
        self._argument = argument
        self._processes = processes
        self._limits = limits
        self._directory = directory
        self._report = report
        self._selector = FrameSelector(argument["threshold"])
        self._overview = OverviewFrames()
        self._last_ms = -1
        # A range uses disk space until its frames are stored, so ranges wait for a slow store.
        self._disk_slots = asyncio.Semaphore(processes + 1)
        self._process_slots = asyncio.Semaphore(processes)

    async def sample(self) -> AsyncGenerator[Frames]:
        """Yields the kept frames range by range. The files are removed when the next range is requested."""
        ranges = await self._ranges()
        threads = max(1, self._processes // len(ranges))
        done = [0.0] * len(ranges)

        def report(number: int, fraction: float) -> None:
            done[number] = fraction
            self._report(sum(done) / len(done), len(ranges))

        works = [
            asyncio.create_task(self._work(number, one, threads, lambda f, _, n=number: report(n, f)))
            for number, one in enumerate(ranges)
        ]
        try:
            for number, work in enumerate(works):
                written = await _result_or_first_error(work, works)
                report(number, 1.0)
                directory = self._range_directory(number)
                yield await self._kept_frames(ranges[number], directory, written, threads)
                await asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True)
                self._disk_slots.release()
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    def overview(self) -> list[int]:
        """Times of the kept frames that show something new; known when all ranges were sampled."""
        return self._overview.finish(max(round(self._argument["duration_s"] * 1000), self._last_ms + 1))

    async def _ranges(self) -> list[TickRange]:
        duration_s, fps = self._argument["duration_s"], self._argument["target_fps"]
        if self._processes < 2 or duration_s < 2 * sampling.MIN_RANGE_S:
            return [sampling.WHOLE_VIDEO]
        found = await run_in_sandbox(FIND_KEYFRAMES, self._argument, limits=self._limits, directory=self._directory)
        return sampling.cut_ranges(duration_s, fps, self._processes, found["keyframes_s"])

    def _range_directory(self, number: int) -> Path:
        return self._directory / str(number)

    async def _work(self, number: int, one: TickRange, threads: int, report: Any) -> list[int]:
        await self._disk_slots.acquire()
        async with self._process_slots:
            directory = self._range_directory(number)
            await asyncio.to_thread(directory.mkdir)
            found = await run_in_sandbox(
                SAMPLE_RANGE, self._argument_for(one, threads), report, limits=self._limits, directory=directory
            )
            times: list[int] = found["kept"]
            return times

    def _argument_for(self, one: TickRange, threads: int) -> dict[str, Any]:
        return self._argument | {"range": [one.first, one.until], "threads": threads}

    async def _kept_frames(self, one: TickRange, directory: Path, written: list[int], threads: int) -> Frames:
        """The frames that one pass over the video keeps in this range, which are nearly always those the range has kept."""
        kept = await asyncio.to_thread(self._select_frames, directory)
        missing = sorted(set(kept) - set(written))
        if missing:
            work = self._argument_for(one, threads) | {"times": missing}
            await run_in_sandbox(WRITE_FRAMES, work, limits=self._limits, directory=directory)
        return {at_ms: directory / f"{at_ms}.jpg" for at_ms in kept}

    def _select_frames(self, directory: Path) -> list[int]:
        times: list[int] = json.loads((directory / TIMES).read_text())
        with (directory / FINGERPRINTS).open("rb") as fingerprints:
            candidates: list[tuple[int, Fingerprint]] = []
            for at_ms in times:
                fingerprint = fingerprint_from_bytes(fingerprints.read(FINGERPRINT_BYTES))
                if at_ms > self._last_ms:  # a frame at the edge may belong to the range before
                    candidates.append((at_ms, fingerprint))
                    self._last_ms = at_ms
        kept = select_frames(candidates, self._selector)
        fingerprints_of = dict(candidates)
        for at_ms in kept:
            self._overview.add(at_ms, fingerprints_of[at_ms])
        return kept


async def _result_or_first_error(
    work: "asyncio.Task[list[int]]", all_works: "list[asyncio.Task[list[int]]]"
) -> list[int]:
    """Returns the result of the work, or raises the first error of all works without waiting for the rest."""
    while not work.done():
        await asyncio.wait([one for one in all_works if not one.done()], return_when=asyncio.FIRST_COMPLETED)
        for one in all_works:
            if one.done():
                one.result()
    return work.result()
