"""Reading pictures of a file: a sandboxed process decodes them, and this one only takes the bytes."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.errors import PermanentFailure
from sightline.file_types import HEAD_BYTES, demuxer_name
from sightline.media.input import MediaLimits, process_limits, run_in_sandbox
from sightline.media.settings import MediaSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_SIDE = 1920
WORK = "sightline.media.pictures.picture_work:decode_picture"
PICTURE_FILE = "picture.rgb"


@dataclass(frozen=True, slots=True)
class TimedPicture:
    at_ms: int | None
    """None for a file that is a picture."""
    pixels: "NDArray[np.uint8]"
    """(height, width, 3), red green blue, upright; at most 1920 pixels wide (a video) or on its longer side."""


async def read_pictures(file: Path, settings: MediaSettings, *, every_s: float) -> AsyncIterator[TimedPicture]:
    """The picture in a file, or a video's pictures at this distance. Raises `MediaUnreadable`."""
    readable, is_video = await asyncio.to_thread(_examined, file)
    if not is_video:
        yield await _read_picture(readable, settings)
        return
    from sightline.media.looks import open_looks  # loaded only by commands that look at videos

    async with open_looks(readable, settings=settings, looks_per_s=1 / every_s, picture_width=MAX_SIDE) as looks:
        async for look in looks:
            yield TimedPicture(look.at_ms, await looks.picture())


async def _read_picture(readable: str, settings: MediaSettings) -> TimedPicture:
    argument = {"readable": readable, "media_limits": asdict(MediaLimits.of(settings))}
    with tempfile.TemporaryDirectory(prefix="sightline-pictures-", ignore_cleanup_errors=True) as directory:
        found = await run_in_sandbox(WORK, argument, limits=process_limits(settings), directory=Path(directory))
        pixels = await asyncio.to_thread(
            _load, Path(directory) / PICTURE_FILE, int(found["width"]), int(found["height"])
        )
    return TimedPicture(None, pixels)


def _load(file: Path, width: int, height: int) -> "NDArray[np.uint8]":
    import numpy as np  # loaded only by commands that look at pictures

    content = file.read_bytes()
    if width < 1 or height < 1 or len(content) != width * height * 3:
        raise PermanentFailure("the decoding process wrote a picture that is not of the size that it says")
    return np.frombuffer(content, np.uint8).reshape(height, width, 3)


def _examined(file: Path) -> tuple[str, bool]:
    """Its absolute path, and whether it is a video."""
    with file.open("rb") as content:
        return str(file.absolute()), demuxer_name(content.read(HEAD_BYTES)) is not None
