"""Tells on the live feed how far uploads and jobs are, to whoever may see the video."""

from typing import Any
from uuid import UUID

from sightline.db import Database, Transaction
from sightline.live import LiveFeed, LiveMessage
from sightline.videos.feed import STREAM
from sightline.videos.store import get_video

JOB_TYPE = "job.progress"
UPLOAD_TYPE = "upload.progress"


class ProgressFeed:
    def __init__(self, database: Database, feed: LiveFeed) -> None:
        self._database = database
        self._feed = feed

    async def job_went_on(
        self, job_id: UUID, job_type: str, video_id: UUID, progress: float, message: str | None
    ) -> None:
        """In a transaction of its own: one that holds the job's row may wait crosswise with one that ends the job."""
        data = {"jobId": str(job_id), "jobType": job_type, "progress": round(progress, 4), "message": message}
        async with self._database.transaction() as tx:
            await self._tell(tx, video_id, JOB_TYPE, data)

    async def upload_went_on(self, tx: Transaction, video_id: UUID, *, uploaded: int, total: int, percent: int) -> None:
        data = {"uploadedParts": uploaded, "totalParts": total, "percentage": percent}
        await self._tell(tx, video_id, UPLOAD_TYPE, data)

    async def _tell(self, tx: Transaction, video_id: UUID, kind: str, data: dict[str, Any]) -> None:
        video = await get_video(tx, video_id)
        if video is not None:  # it may have been removed meanwhile
            whole = {"videoId": str(video_id), **data}
            message = LiveMessage(STREAM, kind, whole, owner_id=video.owner_id, team_id=video.team_id)
            await self._feed.append(tx, message)
