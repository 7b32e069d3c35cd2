"""Videos as callers may see them, read together: checks of one caller that arrive together share a transaction."""

import json
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from sightline.contracts import Caller
from sightline.db import Database, Grouped
from sightline.videos import Video, read_videos, unknown_video


class CallerVideos:
    """Row level security decides for each caller. Nothing is remembered: a check begins after its request has arrived."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._groups: dict[str, tuple[Grouped[UUID, Video | None], int]] = {}
        """By the caller's claims, with the number of those who wait; gone as soon as nobody does."""

    async def need(self, caller: Caller, video_id: UUID) -> Video:
        """The video; raises `NotFound` if the caller may not see it."""
        key = json.dumps(caller.claims(), sort_keys=True, default=str)
        group, waiting = self._groups.get(key) or (Grouped(partial(self._read, caller)), 0)
        self._groups[key] = (group, waiting + 1)
        try:
            found = await group.call(video_id)
        finally:
            group, waiting = self._groups[key]
            if waiting > 1:
                self._groups[key] = (group, waiting - 1)
            else:
                del self._groups[key]
        if found is None:
            raise unknown_video(video_id)
        return found

    async def _read(self, caller: Caller, ids: Sequence[UUID]) -> list[Video | None]:
        async with self._database.as_caller(caller.claims()) as tx:
            found = {video.id: video for video in await read_videos(tx, list(dict.fromkeys(ids)))}
        return [found.get(video_id) for video_id in ids]
