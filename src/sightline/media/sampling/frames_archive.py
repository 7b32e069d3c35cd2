"""The frame archive: key frames of a video, listed in the order of time or streamed as a ZIP file."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from sightline.objects import ObjectStore, frame_ms, frames_prefix
from sightline.zip_stream import ZipStream

READ_AHEAD = 4


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
    """A ZIP file in chunks, with a few frames in memory."""
    file = ZipStream()
    async for frame, content in _read_ahead(objects, frames):
        yield file.add(f"{frame.timestamp_ms}.jpg", content)
    yield file.close()


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
