"""The newest picture of each camera: in memory in the process that watches it, and as an object for all others."""

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from uuid import UUID

import structlog

from sightline.errors import PlatformError
from sightline.objects import ObjectStore, camera_picture_key, camera_prefix

FRESH_S = 30.0
"""A picture in memory that is older may be one that another process has replaced since."""
STORE_EVERY_S = 1.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class LatestPicture:
    content: bytes
    """JPEG."""
    etag: str


class LatestPictures:
    def __init__(self, objects: ObjectStore, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._objects = objects
        self._clock = clock
        self._pictures: dict[UUID, tuple[float, LatestPicture]] = {}
        self._stored_at: dict[UUID, float] = {}
        self._failing: set[UUID] = set()
        self._changed = asyncio.Condition()

    async def offer(self, camera_key: UUID, content: bytes, *, store_every_s: float = STORE_EVERY_S) -> None:
        """The newest picture. Other processes see it no more often than `store_every_s`; a store that is away stops nothing."""
        now = self._clock()
        self._pictures[camera_key] = (now, _picture(content))
        async with self._changed:
            self._changed.notify_all()
        if now - self._stored_at.get(camera_key, float("-inf")) >= store_every_s:
            self._stored_at[camera_key] = now
            await self._store(camera_key, content)

    async def _store(self, camera_key: UUID, content: bytes) -> None:
        try:
            await self._objects.put(camera_picture_key(camera_key), content, content_type="image/jpeg")
        except (PlatformError, OSError) as error:
            if camera_key not in self._failing:
                log.warning("camera.picture_unstored", camera_key=str(camera_key), error=str(error))
            self._failing.add(camera_key)
        else:
            self._failing.discard(camera_key)

    def forget(self, camera_key: UUID) -> None:
        """Of a camera that this process watches no longer."""
        self._pictures.pop(camera_key, None)
        self._stored_at.pop(camera_key, None)
        self._failing.discard(camera_key)

    async def newest(self, camera_key: UUID) -> LatestPicture | None:
        at, found = self._pictures.get(camera_key, (float("-inf"), None))
        if found is not None and self._clock() - at < FRESH_S:
            return found
        key = camera_picture_key(camera_key)
        if await self._objects.head(key) is None:
            return None
        return _picture(await self._objects.get(key))

    async def remove(self, camera_key: UUID) -> None:
        """Of a camera that is deleted, with what was learned of it."""
        self.forget(camera_key)
        await self._objects.delete_prefix(camera_prefix(camera_key))

    async def follow(self, camera_key: UUID, *, poll_s: float = 1.0) -> AsyncIterator[LatestPicture]:
        """Each picture once, as it comes: at once where this process watches the camera, every `poll_s` elsewhere."""
        last = ""
        while True:
            found = await self.newest(camera_key)
            if found is not None and found.etag != last:
                last = found.etag
                yield found
            try:
                async with asyncio.timeout(poll_s), self._changed:
                    await self._changed.wait()
            except TimeoutError:
                continue


def _picture(content: bytes) -> LatestPicture:
    return LatestPicture(content, hashlib.md5(content, usedforsecurity=False).hexdigest())
