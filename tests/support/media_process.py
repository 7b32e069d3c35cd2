"""Workers that are killed half-way through a job each: media_process.py DATABASE_URL STATE_DIRECTORY KIND...

They share a process, and the work on each video is another one below it.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
from pydantic import SecretStr

from sightline import job_types
from sightline.bootstrap import open_platform
from sightline.config import Settings
from sightline.jobs import JobsSettings, Worker
from sightline.media.clips import clip_generate
from sightline.media.sampling import range_sampler
from sightline.media.stream import transcode
from sightline.objects import ObjectsSettings
from sightline.text import replace_readings
from sightline.text.reading import ocr
from support.halfway_work import HALF_WAY
from support.postgres import patient_settings
from support.waiting import soon, until

CHUNK_FRAMES = 5
"""Frames that `ocr` reads and commits at once in these tests."""


@asynccontextmanager
async def half_way(url: str, state: Path, *kinds: str) -> AsyncIterator[None]:
    """A job of each kind, enqueued in the block, is half done when the block ends, and the workers were killed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, url, str(state), *kinds),
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        # Log lines may come before it; an empty line is the end of the process.
        while (line := await soon(process.stdout.readline(), within_s=60)) != b"ready\n":
            assert line, "the workers ended before they were ready"
        yield
        await until(lambda: len(list(state.rglob(HALF_WAY))) == len(kinds), within_s=60)
        below = psutil.Process(process.pid).children(recursive=True)
        assert below, "the work is done in a process of its own"
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()
    await until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in below))


def hold_half_way(state: Path) -> None:
    transcode.MAKE_PROXY = "support.halfway_work:make_proxy"
    clip_generate.CUT = "support.halfway_work:cut_clip"
    range_sampler.SAMPLE_RANGE = "support.halfway_work:sample_range"
    ocr.FRAMES_PER_CHUNK = CHUNK_FRAMES
    ocr.__dict__["replace_readings"] = _stored_once(replace_readings, state / HALF_WAY)


def _stored_once(store: Any, mark: Path) -> Any:
    """The readings of one stretch are stored, those of the next never."""
    is_stored = False

    async def replace_once(*arguments: Any, **options: Any) -> None:
        nonlocal is_stored
        if is_stored:
            await asyncio.to_thread(mark.touch)
            await asyncio.Event().wait()
        await store(*arguments, **options)
        is_stored = True

    return replace_once


async def main(url: str, state: str, *kinds: str) -> None:
    hold_half_way(Path(state))
    settings = Settings(
        state_dir=Path(state),
        database=patient_settings(url=SecretStr(url)),
        objects=ObjectsSettings(minimum_free_bytes=0),
    )
    async with open_platform(settings) as platform, asyncio.TaskGroup() as group:
        listens = asyncio.Event()
        group.create_task(platform.listener.run(asyncio.Event(), listens.set))
        await listens.wait()
        for kind in kinds:
            job = getattr(job_types, kind)(platform)
            job._processes = 1  # one stretch or range after the other
            worker = Worker(job, database=platform.database, listener=platform.listener, settings=JobsSettings())
            group.create_task(worker.run(asyncio.Event(), lambda: None))
        print("ready", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
