"""Trying a source before it is saved: one picture from it, or plain words on why there is none."""

import asyncio
import time
from dataclasses import dataclass

from sightline.cameras.problems import SourceProblem
from sightline.cameras.settings import CamerasSettings
from sightline.cameras.sources.camera_process import JpegPicture, LookOptions, Opened
from sightline.cameras.sources.open_source import SourceRequest, open_source


@dataclass(frozen=True, slots=True)
class TriedSource:
    picture: bytes
    """JPEG."""
    width: int
    height: int
    codec: str
    fps: float | None
    took_ms: int


def look_options(
    settings: CamerasSettings, *, looks_per_s: float, sends_looks: bool = True, may_be_unconfined: bool = False
) -> LookOptions:
    return LookOptions(
        looks_per_s=looks_per_s,
        picture_width=settings.picture_width,
        jpeg_quality=settings.jpeg_quality,
        connect_timeout_s=settings.connect_timeout_s,
        stall_timeout_s=settings.stall_timeout_s,
        memory_bytes=settings.process_memory_bytes,
        ca_file=settings.ca_file,
        sends_looks=sends_looks,
        may_be_unconfined=may_be_unconfined,
    )


async def try_source(
    request: SourceRequest, settings: CamerasSettings, *, may_be_unconfined: bool = False
) -> TriedSource:
    """Raises a `SourceProblem` when the camera shows no picture in time."""
    try:
        return await _try_once(request, settings, may_be_unconfined=may_be_unconfined)
    except SourceProblem as problem:
        if (other := request.after(problem)) is None:
            raise
    return await _try_once(other, settings, may_be_unconfined=may_be_unconfined)


async def _try_once(request: SourceRequest, settings: CamerasSettings, *, may_be_unconfined: bool) -> TriedSource:
    started = time.monotonic()
    options = look_options(settings, looks_per_s=1, sends_looks=False, may_be_unconfined=may_be_unconfined)
    opened: Opened | None = None
    try:
        # Twice the time to connect: a stream may begin with pictures that need the next key frame.
        async with asyncio.timeout(2 * settings.connect_timeout_s), open_source(request, options) as process:
            await process.request_picture()
            while True:
                match await process.receive():
                    case Opened() as opened:
                        pass
                    case JpegPicture(content=picture) if opened is not None:
                        took_ms = round((time.monotonic() - started) * 1000)
                        return TriedSource(picture, opened.width, opened.height, opened.codec, opened.fps, took_ms)
    except TimeoutError:
        raise SourceProblem("timed_out" if opened is None else "stalled") from None
