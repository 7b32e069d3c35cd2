"""Removal of the objects of a part of a video that stays: its original, or its key frames."""

from uuid import UUID

from sightline.db import Database
from sightline.objects import ObjectStore, frames_prefix, original_key
from sightline.videos.due_store import VideoPart, forget_object_removal, object_removals_due


class PartRemovals:
    """Safe to run in several processes and to be killed: a request is forgotten only after its objects are removed."""

    def __init__(self, database: Database, objects: ObjectStore) -> None:
        self._database = database
        self._objects = objects

    async def sweep(self) -> int:
        """Returns the number of requests that it handled."""
        handled = 0
        while True:
            async with self._database.transaction() as tx:
                due = await object_removals_due(tx)
            for video_id, part in due:
                await self._remove(video_id, part)
                async with self._database.transaction() as tx:
                    await forget_object_removal(tx, video_id, part)
            handled += len(due)
            if not due:
                return handled

    async def _remove(self, video_id: UUID, part: VideoPart) -> None:
        match part:
            case VideoPart.ORIGINAL:
                await self._objects.delete([original_key(video_id)])
            case VideoPart.FRAMES:
                await self._objects.delete_prefix(frames_prefix(video_id))
            case VideoPart.WHOLE:
                raise ValueError("whole videos are removed by RemovalSweep")
