"""Progress of uploads and jobs on the live feed, for people who may see the video."""

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

    async def job_progressed(
        self, job_id: UUID, job_type: str, video_id: UUID, progress: float, message: str | None
    ) -> None:
        """Runs in its own transaction: one that locks the row of the job could deadlock with one that ends the job."""
        data = {"jobId": str(job_id), "jobType": job_type, "progress": round(progress, 4), "message": message}
        async with self._database.transaction() as tx:
            await self._publish(tx, video_id, JOB_TYPE, data)

    async def upload_progressed(
        self, tx: Transaction, video_id: UUID, *, uploaded: int, total: int, percent: int
    ) -> None:
        data = {"uploadedParts": uploaded, "totalParts": total, "percentage": percent}
        await self._publish(tx, video_id, UPLOAD_TYPE, data)

    async def _publish(self, tx: Transaction, video_id: UUID, kind: str, data: dict[str, Any]) -> None:
        video = await get_video(tx, video_id)
        if video is not None:  # it may have been removed in the meantime
            payload = {"videoId": str(video_id), **data}
            message = LiveMessage(STREAM, kind, payload, owner_id=video.owner_id, team_id=video.team_id)
            await self._feed.append(tx, message)
