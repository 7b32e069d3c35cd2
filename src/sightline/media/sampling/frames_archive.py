"""The frame archive: key frames of a video, listed in the order of time or streamed as a ZIP file."""

import asyncio
import io
import zipfile
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from sightline.objects import ObjectStore, frame_ms, frames_prefix

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

READ_AHEAD = 4
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first date that ZIP supports. A fixed date makes archives of the same frames identical."""


@dataclass(frozen=True, slots=True)
class FrameObject:
    timestamp_ms: int
    key: str
    size: int


async def list_frames(objects: ObjectStore, video_id: UUID) -> list[FrameObject]:
    """In the order of time, which is not the order of names: 1000.jpg sorts before 200.jpg."""
    found = [
        FrameObject(at_ms, stored.key, stored.size)
        async for stored in objects.find(frames_prefix(video_id))
        if (at_ms := frame_ms(stored.key)) is not None
    ]
    found.sort(key=lambda frame: frame.timestamp_ms)
    return found


async def archive(objects: ObjectStore, frames: Sequence[FrameObject]) -> AsyncIterator[bytes]:
    """A ZIP file in chunks, with a few frames in memory. JPEG is not compressed again."""
    sink = _ChunkSink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED, allowZip64=True) as file:
        async for frame, content in _read_ahead(objects, frames):
            file.writestr(zipfile.ZipInfo(f"{frame.timestamp_ms}.jpg", _EARLIEST), content)
            yield sink.take()
    yield sink.take()


async def _read_ahead(objects: ObjectStore, frames: Sequence[FrameObject]) -> AsyncIterator[tuple[FrameObject, bytes]]:
    """Reads the next frames from the store while the last one is sent."""
    waiting: deque[tuple[FrameObject, asyncio.Task[bytes]]] = deque()
    try:
        for frame in frames:
            waiting.append((frame, asyncio.create_task(objects.get(frame.key))))
            if len(waiting) >= READ_AHEAD:
                first, task = waiting.popleft()
                yield first, await task
        while waiting:
            first, task = waiting.popleft()
            yield first, await task
    finally:
        for _, task in waiting:
            task.cancel()


class _ChunkSink(io.RawIOBase):
    """The write-only stream that zipfile writes to."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: "Buffer", /) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        return len(piece)

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
