"""The sound of a video, from the side of the worker: one confined process decodes, and is asked piece by piece."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

from sightline.jobs import ChildChannel, OpenProcess, ProcessCrashed, ProcessMessage, Sandbox, open_process, preload
from sightline.media.input import MediaLimits, MediaUnreadable, open_input, process_limits
from sightline.media.settings import MediaSettings
from sightline.media.sound.form import BYTES_PER_SAMPLE, SAMPLES_PER_S

MAX_PIECE_BYTES = 64 * SAMPLES_PER_S * BYTES_PER_SAMPLE
"""Pieces have about ten seconds; a decoder may give some more at once."""
_VIDEO = "video"
_WORK = "sightline.media.sound.sound_child"

preload(_WORK)


@dataclass(frozen=True, slots=True)
class SoundPiece:
    at_ms: int
    samples: bytes
    """16-bit mono at `SAMPLES_PER_S`."""


class VideoSound:
    def __init__(self, process: OpenProcess) -> None:
        self._process = process

    async def __aiter__(self) -> AsyncIterator[SoundPiece]:
        """Each piece in turn; none for a video without sound. Raises `MediaUnreadable` when the file is not what it says."""
        while (piece := _read_piece(await self._process.receive())) is not None:
            yield piece
            await self._process.send("next")


def run_listening(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Sandboxed work. The decoder is loaded there and not in the worker."""
    from sightline.media.sound.sound_child import listen_to_video

    listen_to_video(argument, channel)


@asynccontextmanager
async def open_sound(readable: str, *, settings: MediaSettings, from_ms: int = 0) -> AsyncIterator[VideoSound]:
    """Decodes the sound of the video at `readable`, a path or a URL, in the sandbox of media work."""
    async with open_input(readable) as (handle, kind):
        argument = {"kind": kind, "media_limits": asdict(MediaLimits.of(settings)), "from_s": from_ms / 1000}
        async with open_process(
            run_listening,
            argument,
            limits=process_limits(settings),
            handles={_VIDEO: handle},
            sandbox=Sandbox(modules=(_WORK,)),
        ) as process:
            yield VideoSound(process)


def _read_piece(message: ProcessMessage) -> SoundPiece | None:
    """The process may have been taken over by what it decodes, so its sizes are checked."""
    match message:
        case ProcessMessage("end"):
            return None
        case ProcessMessage("unreadable", {"reason": str() as reason}):
            raise MediaUnreadable(reason[:500])
        case ProcessMessage("piece", {"at_ms": int() as at_ms}, samples) if (
            0 <= at_ms < 2**31 and 0 < len(samples) <= MAX_PIECE_BYTES and len(samples) % BYTES_PER_SAMPLE == 0
        ):
            return SoundPiece(at_ms, samples)
    raise ProcessCrashed("the process that decodes the sound sent what cannot be read")
