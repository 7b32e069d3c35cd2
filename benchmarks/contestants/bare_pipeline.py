"""The media work of the pipeline and nothing else: the same works in the same processes, but no queue, no store, no database.

bare_pipeline.py FILM; prints {"wall_s", "cpu_s", "texts"} as JSON.
"""

import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil

from sightline.jobs import ForkServer, ProcessLimits, Sandbox, preload, run_in_process
from sightline.media import MediaSettings
from sightline.media.input import MediaLimits, process_limits, run_in_sandbox
from sightline.media.sampling.range_sampler import RangeSampler
from sightline.media.stream.transcode import MAKE_PROXY
from sightline.text import Box, TextReading, TextSettings, merge_readings, need_engine
from sightline.text.reading.ocr import FRAMES_PER_CHUNK, LOOKAHEAD_FRAMES, read_chunk_in_child

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
        "media_limits": asdict(MediaLimits.of(SETTINGS)),
        "target_fps": 10,
        "threshold": 0.95,
        "duration_s": duration_s,
    }
    work = directory / "work"
    work.mkdir()
    sampler = RangeSampler(
        argument, processes=PROCESSES, limits=process_limits(SETTINGS), directory=work, report=lambda *_: None
    )
    kept: dict[int, Path] = {}
    async for frames in sampler.sample():
        for at_ms, path in frames.items():
            kept[at_ms] = path.rename(directory / path.name)
    return kept


async def read(frames: dict[int, Path], end_ms: int) -> list[TextReading]:
    times = sorted(frames)
    waiting = iter(range(0, len(times), FRAMES_PER_CHUNK))
    installed = need_engine(TEXT.engine)
    models = installed.load().needed_files(("eng",))
    found: list[TextReading] = []

    async def read_next() -> None:
        for start in waiting:
            first, stop = max(0, start - 1), min(start + FRAMES_PER_CHUNK, len(times))
            seen = range(first, min(len(times), stop + LOOKAHEAD_FRAMES))
            with tempfile.TemporaryDirectory() as name:
                for at in seen:
                    # A copy: each sandboxed process gets files of its own.
                    shutil.copyfile(frames[times[at]], Path(name) / f"{times[at]}.jpg")
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
                    read_chunk_in_child,
                    argument,
                    lambda *_: None,
                    limits=limits,
                    directory=Path(name),
                    sandbox=Sandbox(readable=tuple(map(str, models))),
                )
            assert answer is not None
            found.extend(
                TextReading(text, begin, end, confidence, Box(*box), language)
                for text, begin, end, confidence, box, language in answer["readings"]
            )

    await asyncio.gather(*(read_next() for _ in range(PROCESSES)))
    return found


async def main(film: Path) -> None:
    stop, ready = asyncio.Event(), asyncio.Event()
    preload(*need_engine(TEXT.engine).load().LIBRARIES)
    fork_server = asyncio.create_task(ForkServer().run(stop, ready.set))
    await ready.wait()
    looked_at = {"readable": str(film), "media_limits": asdict(MediaLimits.of(SETTINGS))}
    await run_in_sandbox(
        "sightline.media.input.probe:probe", looked_at, limits=process_limits(SETTINGS)
    )  # now libraries are loaded
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        used, begun = cpu_s(), time.monotonic()
        argument = looked_at | {
            "max_height": SETTINGS.proxy_height,
            "segment_s": SETTINGS.segment_s,
        }
        proxy = directory / "proxy"
        proxy.mkdir()
        made = await run_in_sandbox(MAKE_PROXY, argument, limits=process_limits(SETTINGS), directory=proxy)
        frames = await frames_of(film, made["duration_ms"] / 1000, directory)
        texts = merge_readings(uuid4(), await read(frames, made["duration_ms"]), gap_ms=TEXT.merge_gap_ms)
        wall_s, spent = time.monotonic() - begun, cpu_s() - used
    print(json.dumps({"wall_s": wall_s, "cpu_s": spent, "texts": len(texts)}))
    stop.set()
    await fork_server


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).resolve()))
