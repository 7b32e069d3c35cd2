"""Has the ranges of a video sampled at once, and settles in the order of time what is kept, as one run would have kept it."""

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from sightline.jobs.process_limits import ProcessLimits
from sightline.media.input.sandbox import run_isolated
from sightline.media.sampling import ranges as sampling
from sightline.media.sampling.frame_similarity import MARK_BYTES, Keeper, Mark, mark_of
from sightline.media.sampling.ranges import Range, choose

FIND_KEYFRAMES = "sightline.media.sampling.sample_work:find_keyframes"
SAMPLE_RANGE = "sightline.media.sampling.sample_work:sample_range"
WRITE_FRAMES = "sightline.media.sampling.sample_work:write_frames"
MARKS, TIMES = "marks.bin", "times.json"  # as the work names them; it is not imported here, nor what it needs to decode

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
        tell: Callable[[float, int], None],
    ) -> None:
        """`tell` is told how much is done, 0 to 1, and in how many ranges."""
        self._argument = argument
        self._processes = processes
        self._limits = limits
        self._directory = directory
        self._tell = tell
        self._keeper = Keeper(argument["threshold"])
        self._last_ms = -1
        # A range takes room from its start until its frames are stored; those ahead of a slow store wait.
        self._room = asyncio.Semaphore(processes + 1)
        self._lanes = asyncio.Semaphore(processes)

    async def sample(self) -> AsyncGenerator[Frames]:
        """The kept frames, range by range. They are gone when the next range is asked for."""
        ranges = await self._ranges()
        threads = max(1, self._processes // len(ranges))
        done = [0.0] * len(ranges)

        def tell(number: int, fraction: float) -> None:
            done[number] = fraction
            self._tell(sum(done) / len(done), len(ranges))

        works = [
            asyncio.create_task(self._work(number, one, threads, lambda f, _, n=number: tell(n, f)))
            for number, one in enumerate(ranges)
        ]
        try:
            for number, work in enumerate(works):
                written = await _first_failure(work, works)
                tell(number, 1.0)
                place = self._place(number)
                yield await self._settled(ranges[number], place, written, threads)
                await asyncio.to_thread(shutil.rmtree, place, ignore_errors=True)
                self._room.release()
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    async def _ranges(self) -> list[Range]:
        duration_s, fps = self._argument["duration_s"], self._argument["target_fps"]
        if self._processes < 2 or duration_s < 2 * sampling.SHORTEST_RANGE_S:
            return [sampling.WHOLE]
        found = await run_isolated(FIND_KEYFRAMES, self._argument, limits=self._limits, directory=self._directory)
        return sampling.cut_ranges(duration_s, fps, self._processes, found["keyframes_s"])

    def _place(self, number: int) -> Path:
        return self._directory / str(number)

    async def _work(self, number: int, one: Range, threads: int, tell: Any) -> list[int]:
        await self._room.acquire()
        async with self._lanes:
            place = self._place(number)
            await asyncio.to_thread(place.mkdir)
            found = await run_isolated(SAMPLE_RANGE, self._of(one, threads), tell, limits=self._limits, directory=place)
            times: list[int] = found["kept"]
            return times

    def _of(self, one: Range, threads: int) -> dict[str, Any]:
        return self._argument | {"range": [one.first, one.until], "threads": threads}

    async def _settled(self, one: Range, place: Path, written: list[int], threads: int) -> Frames:
        """What a run from the beginning keeps in this range. It is nearly always what the range has kept by itself."""
        kept = await asyncio.to_thread(self._choose, place)
        missing = sorted(set(kept) - set(written))
        if missing:
            work = self._of(one, threads) | {"times": missing}
            await run_isolated(WRITE_FRAMES, work, limits=self._limits, directory=place)
        return {at_ms: place / f"{at_ms}.jpg" for at_ms in kept}

    def _choose(self, place: Path) -> list[int]:
        times: list[int] = json.loads((place / TIMES).read_text())
        with (place / MARKS).open("rb") as marks:
            candidates: list[tuple[int, Mark]] = []
            for at_ms in times:
                mark = mark_of(marks.read(MARK_BYTES))
                if at_ms > self._last_ms:  # one at the very edge may belong to the range before
                    candidates.append((at_ms, mark))
                    self._last_ms = at_ms
        return choose(candidates, self._keeper)


async def _first_failure(work: "asyncio.Task[list[int]]", all_works: "list[asyncio.Task[list[int]]]") -> list[int]:
    """The work's result; or the error of whichever fails first, without waiting for the rest."""
    while not work.done():
        await asyncio.wait([one for one in all_works if not one.done()], return_when=asyncio.FIRST_COMPLETED)
        for one in all_works:
            if one.done():
                one.result()
    return work.result()
