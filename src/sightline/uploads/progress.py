"""Upload progress on the live feed, at most once per second for each upload."""

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

MIN_INTERVAL_S = 1.0
MIN_STEP_PERCENT = 5
MAX_TRACKED_UPLOADS = 10_000


@dataclass(frozen=True, slots=True)
class _LastReport:
    at: float
    percent: int = 0


class UploadProgress:
    """Each process publishes progress of the parts reported to it, and remembers only its own last report."""

    def __init__(self, database: Database, feed: ProgressFeed, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._feed = feed
        self._clock = clock
        self._last_reports: OrderedDict[UUID, _LastReport] = OrderedDict()

    async def part_uploaded(self, video_id: UUID) -> None:
        """Call after the report is committed. An upload of less than a second publishes no progress, only its status."""
        now = self._clock()
        last = self._last_reports.get(video_id)
        if last is None:
            self._remember(video_id, _LastReport(now))
            return
        if now - last.at < MIN_INTERVAL_S:
            return
        self._remember(
            video_id, _LastReport(now, last.percent)
        )  # before the first await, since other parts arrive in the meantime
        async with self._database.transaction() as tx:
            upload = await get_upload(tx, video_id)
            if upload is None or upload.state is not UploadState.OPEN or upload.total_parts is None:
                return
            uploaded = await count_parts(tx, video_id)
            percent = percentage(uploaded, upload.total_parts)
            if percent < last.percent + MIN_STEP_PERCENT:
                return
            await self._feed.upload_progressed(
                tx, video_id, uploaded=uploaded, total=upload.total_parts, percent=percent
            )
        self._remember(video_id, _LastReport(now, percent))

    def _remember(self, video_id: UUID, report: _LastReport) -> None:
        self._last_reports[video_id] = report
        self._last_reports.move_to_end(video_id)
        if len(self._last_reports) > MAX_TRACKED_UPLOADS:
            self._last_reports.popitem(last=False)
