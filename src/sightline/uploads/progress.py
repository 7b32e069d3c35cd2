"""Tells on the live feed how far an upload is: now and then, not with every part."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from sightline.db import Database
from sightline.uploads.plan import percentage
from sightline.uploads.store import count_parts, get_upload
from sightline.uploads.upload import UploadState
from sightline.videos import ProgressFeed

TOLD_EVERY_S = 1.0
STEP_PERCENT = 5
UPLOADS_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class _Told:
    at: float
    percent: int = 0


class UploadProgress:
    """Each process tells of the parts that are reported to it; what it told is in its memory alone."""

    def __init__(self, database: Database, feed: ProgressFeed, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._feed = feed
        self._clock = clock
        self._told: OrderedDict[UUID, _Told] = OrderedDict()

    async def part_arrived(self, video_id: UUID) -> None:
        """After the report is committed. An upload that takes less than a second is told by its status alone."""
        now = self._clock()
        told = self._told.get(video_id)
        if told is None:
            self._remember(video_id, _Told(now))
            return
        if now - told.at < TOLD_EVERY_S:
            return
        self._remember(video_id, _Told(now, told.percent))  # before anything awaits: other parts arrive meanwhile
        async with self._database.transaction() as tx:
            upload = await get_upload(tx, video_id)
            if upload is None or upload.state is not UploadState.OPEN or upload.total_parts is None:
                return
            uploaded = await count_parts(tx, video_id)
            percent = percentage(uploaded, upload.total_parts)
            if percent < told.percent + STEP_PERCENT:
                return
            await self._feed.upload_went_on(tx, video_id, uploaded=uploaded, total=upload.total_parts, percent=percent)
        self._remember(video_id, _Told(now, percent))

    def _remember(self, video_id: UUID, told: _Told) -> None:
        self._told[video_id] = told
        self._told.move_to_end(video_id)
        if len(self._told) > UPLOADS_REMEMBERED:
            self._told.popitem(last=False)
