"""The media work of the pipeline and nothing else: the same works in the same processes, but no queue, no store, no database.

bare_pipeline.py FILM; prints {"wall_s", "cpu_s", "texts"} as JSON.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

from sightline.jobs.process import ProcessNursery, preload, run_in_process
from sightline.jobs.process_limits import ProcessLimits
from sightline.jobs.sandbox import Confinement
from sightline.media.input.limits import Caps
from sightline.media.input.sandbox import limits_of, run_isolated
from sightline.media.sampling.sample_ranges import RangeSampler
from sightline.media.settings import MediaSettings
from sightline.media.stream.transcode import MAKE_PROXY
from sightline.text.reading.engines import need_engine
from sightline.text.reading.ocr import LATER, STRETCH, _read_stretch_elsewhere
from sightline.text.segments.merge import merge
from sightline.text.segments.segment import Box, Reading
from sightline.text.settings import TextSettings

SETTINGS, TEXT = MediaSettings(), TextSettings()
PROCESSES = os.cpu_count() or 1


def cpu_s() -> float:
    """Of this process and all that came of it."""
    total = 0.0
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        times = process.cpu_times()
        total += times.user + times.system + times.children_user + times.children_system
    return total


async def frames_of(film: Path, duration_s: float, directory: Path) -> dict[int, Path]:
    argument = {
        "readable": str(film),
        "caps": asdict(Caps.of(SETTINGS)),
        "target_fps": 10,
        "threshold": 0.95,
        "duration_s": duration_s,
    }
    work = directory / "work"
    work.mkdir()
    sampler = RangeSampler(
        argument, processes=PROCESSES, limits=limits_of(SETTINGS), directory=work, tell=lambda *_: None
    )
    kept: dict[int, Path] = {}
    async for frames in sampler.sample():
        for at_ms, path in frames.items():
            kept[at_ms] = path.rename(directory / path.name)
    return kept


async def read(frames: dict[int, Path], end_ms: int) -> list[Reading]:
    times = sorted(frames)
    waiting = iter(range(0, len(times), STRETCH))
    installed = need_engine(TEXT.engine)
    models = installed.load().needed_files(("eng",))
    found: list[Reading] = []

    async def lane() -> None:
        for start in waiting:
            first, stop = max(0, start - 1), min(start + STRETCH, len(times))
            seen = range(first, min(len(times), stop + LATER))
            with tempfile.TemporaryDirectory() as name:
                for at in seen:
                    os.link(frames[times[at]], Path(name) / f"{times[at]}.jpg")
                argument: dict[str, Any] = {
                    "frames": [[times[at], times[at + 1] if at + 1 < len(times) else end_ms] for at in seen],
                    "first": start - first,
                    "until": stop - first,
                    "languages": ["eng"],
                    "min_confidence": 0.6,
                    "engine": astuple(installed),
                }
                limits = ProcessLimits(cpu_s=TEXT.cpu_limit_s, memory_bytes=TEXT.memory_limit_bytes, nice=5)
                answer = await run_in_process(
                    _read_stretch_elsewhere,
                    argument,
                    lambda *_: None,
                    limits=limits,
                    directory=Path(name),
                    confinement=Confinement(readable=tuple(map(str, models))),
                )
            assert answer is not None
            found.extend(
                Reading(text, begin, end, confidence, Box(*box), language)
                for text, begin, end, confidence, box, language in answer["readings"]
            )

    await asyncio.gather(*(lane() for _ in range(PROCESSES)))
    return found


async def main(film: Path) -> None:
    stop, ready = asyncio.Event(), asyncio.Event()
    preload(*need_engine(TEXT.engine).load().LIBRARIES)
    nursery = asyncio.create_task(ProcessNursery().run(stop, ready.set))
    await ready.wait()
    looked_at = {"readable": str(film), "caps": asdict(Caps.of(SETTINGS))}
    await run_isolated(
        "sightline.media.input.probe:probe", looked_at, limits=limits_of(SETTINGS)
    )  # now libraries are loaded
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        used, begun = cpu_s(), time.monotonic()
        argument = looked_at | {
            "largest_height": SETTINGS.proxy_height,
            "segment_s": SETTINGS.segment_s,
        }
        proxy = directory / "proxy"
        proxy.mkdir()
        made = await run_isolated(MAKE_PROXY, argument, limits=limits_of(SETTINGS), directory=proxy)
        frames = await frames_of(film, made["duration_ms"] / 1000, directory)
        texts = merge(uuid4(), await read(frames, made["duration_ms"]), gap_ms=TEXT.merge_gap_ms)
        wall_s, spent = time.monotonic() - begun, cpu_s() - used
    print(json.dumps({"wall_s": wall_s, "cpu_s": spent, "texts": len(texts)}))
    stop.set()
    await nursery


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).resolve()))
