"""Has the ranges of a video sampled at once, and settles in the order of time what is kept, as one run would have kept it."""

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
from sightline.media.sampling.ranges import TickRange, select_frames

FIND_KEYFRAMES = "sightline.media.sampling.sample_work:find_keyframes"
SAMPLE_RANGE = "sightline.media.sampling.sample_work:sample_range"
WRITE_FRAMES = "sightline.media.sampling.sample_work:write_frames"
FINGERPRINTS, TIMES = (
    "fingerprints.bin",
    "times.json",
)  # as the work names them; it is not imported here, nor what it needs to decode

Frames = dict[int, Path]
"""Pictures by their times in ms."""


class RangeSampler:
    """`argument` is what all works on the video are told."""

    def __init__(
        self,
        argument: dict[str, Any],
        *,
        processes: int,
        limits: ProcessLimits,
        directory: Path,
        report: Callable[[float, int], None],
    ) -> None:
        """`report` is told how much is done, 0 to 1, and in how many ranges."""
        self._argument = argument
        self._processes = processes
        self._limits = limits
        self._directory = directory
        self._report = report
        self._selector = FrameSelector(argument["threshold"])
        self._last_ms = -1
        # A range takes room from its start until its frames are stored; those ahead of a slow store wait.
        self._disk_slots = asyncio.Semaphore(processes + 1)
        self._process_slots = asyncio.Semaphore(processes)

    async def sample(self) -> AsyncGenerator[Frames]:
        """The kept frames, range by range. They are gone when the next range is asked for."""
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
                written = await _first_failure(work, works)
                report(number, 1.0)
                directory = self._range_directory(number)
                yield await self._kept_frames(ranges[number], directory, written, threads)
                await asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True)
                self._disk_slots.release()
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

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
        """What a run from the beginning keeps in this range. It is nearly always what the range has kept by itself."""
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
                if at_ms > self._last_ms:  # one at the very edge may belong to the range before
                    candidates.append((at_ms, fingerprint))
                    self._last_ms = at_ms
        return select_frames(candidates, self._selector)


async def _first_failure(work: "asyncio.Task[list[int]]", all_works: "list[asyncio.Task[list[int]]]") -> list[int]:
    """The work's result; or the error of whichever fails first, without waiting for the rest."""
    while not work.done():
        await asyncio.wait([one for one in all_works if not one.done()], return_when=asyncio.FIRST_COMPLETED)
        for one in all_works:
            if one.done():
                one.result()
    return work.result()
