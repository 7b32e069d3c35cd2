"""Looks at a video, from the side of the worker: one confined process decodes, and is asked look by look."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.jobs import ChildChannel, OpenProcess, ProcessCrashed, ProcessMessage, Sandbox, open_process, preload
from sightline.media.input import MediaLimits, MediaUnreadable, open_input, process_limits
from sightline.media.settings import MediaSettings

GRAY_WIDTH = 320
PICTURE_WIDTH = 1280
MAX_SIDE = 16384
_VIDEO = "video"

preload("sightline.media.looks.look_child")


@dataclass(frozen=True, slots=True)
class VideoLook:
    at_ms: int
    gray: NDArray[np.uint8]
    """Small, upright."""


class VideoLooks:
    def __init__(self, process: OpenProcess) -> None:
        self._process = process

    async def __aiter__(self) -> AsyncIterator[VideoLook]:
        """Each look in turn. Raises `MediaUnreadable` when the file is not what it says."""
        while (look := _read_look(await self._process.receive())) is not None:
            yield look
            await self._process.send("next")

    async def picture(self) -> NDArray[np.uint8]:
        """The whole picture of the present look, upright: (height, width, 3), red green blue."""
        await self._process.send("picture")
        message = await self._process.receive()
        if message.kind != "picture":
            raise _unexpected()
        return _pixels(message, 3)


def run_looks(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Sandboxed work. The decoder is loaded there and not in the worker."""
    from sightline.media.looks.look_child import look_at_video

    look_at_video(argument, channel)


@asynccontextmanager
async def open_looks(
    readable: str, *, settings: MediaSettings, looks_per_s: float, picture_width: int = PICTURE_WIDTH
) -> AsyncIterator[VideoLooks]:
    """Decodes the video at `readable`, a path or a URL, in the sandbox of media work."""
    async with open_input(readable) as (handle, kind):
        argument = {
            "kind": kind,
            "media_limits": asdict(MediaLimits.of(settings)),
            "looks_per_s": looks_per_s,
            "gray_width": GRAY_WIDTH,
            "picture_width": picture_width,
        }
        async with open_process(
            run_looks,
            argument,
            limits=process_limits(settings),
            handles={_VIDEO: handle},
            sandbox=Sandbox(modules=("sightline.media.looks.look_child",)),
        ) as process:
            yield VideoLooks(process)


def _read_look(message: ProcessMessage) -> VideoLook | None:
    match message:
        case ProcessMessage("end"):
            return None
        case ProcessMessage("unreadable", {"reason": str() as reason}):
            raise MediaUnreadable(reason[:500])
        case ProcessMessage("look", {"at_ms": int() as at_ms}) if 0 <= at_ms < 2**31:
            return VideoLook(at_ms, _pixels(message, 1))
    raise _unexpected()


def _pixels(message: ProcessMessage, channels: int) -> NDArray[np.uint8]:
    """The process may have been taken over by what it decodes, so the sizes are checked."""
    match message.fields:
        case {"width": int() as width, "height": int() as height} if (
            0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and len(message.content) == width * height * channels
        ):
            shape = (height, width, channels) if channels > 1 else (height, width)
            return np.frombuffer(message.content, np.uint8).reshape(shape)
    raise _unexpected()


def _unexpected() -> ProcessCrashed:
    return ProcessCrashed("the process that decodes the video sent what cannot be read")
