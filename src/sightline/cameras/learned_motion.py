"""What motion gates have learned of their cameras, stored so that a restart or another process goes on with it."""

from datetime import datetime
from uuid import UUID

import structlog

from sightline.errors import NotFound, PlatformError
from sightline.objects import ObjectStore, camera_motion_key

log = structlog.get_logger(__name__)


class LearnedMotion:
    """A store that is away costs a camera no more than what it had learned."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    async def load(self, camera_key: UUID) -> bytes | None:
        try:
            found = await self.find(camera_key)
        except PlatformError as error:
            log.warning("camera.learned_motion_unread", camera_key=str(camera_key), error=error.message)
            return None
        return None if found is None else found[0]

    async def find(self, camera_key: UUID) -> tuple[bytes, datetime] | None:
        """The state and when it was stored."""
        key = camera_motion_key(camera_key)
        stored = await self._objects.head(key)
        try:
            return None if stored is None else (await self._objects.get(key), stored.modified_at)
        except NotFound:  # forgotten in between
            return None

    async def save(self, camera_key: UUID, state: bytes) -> None:
        try:
            await self._objects.put(camera_motion_key(camera_key), state)
        except PlatformError as error:
            log.warning("camera.learned_motion_unsaved", camera_key=str(camera_key), error=error.message)

    async def forget(self, camera_key: UUID) -> None:
        await self._objects.delete([camera_motion_key(camera_key)])
