"""Pipeline jobs: what all stages share that work on a video and hand it to the next stage."""

from abc import abstractmethod
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID

from sightline.contracts.jobs import JobPayload, VideoPayload
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobQueue, Scratch
from sightline.objects import ObjectStore
from sightline.videos.moves import VideoMoves
from sightline.videos.store import get_video
from sightline.videos.video import Video, VideoStatus

P = TypeVar("P", bound=VideoPayload)
R = TypeVar("R")


class PipelineJob(Job[P], Generic[P, R]):
    """Runs one stage: resumes the video, processes it, and commits its result together with the next job.

    A video that was removed in the meantime ends the job without an error. When retries end, the video becomes FAILED.
    """

    start_status: ClassVar[VideoStatus] = VideoStatus.PRINTING
    """The status that the video advances to when the stage starts."""
    failure_prefix: ClassVar[str] = ""
    """Precedes the error in the reason that people read."""

    def __init__(
        self, *, database: Database, objects: ObjectStore, jobs: JobQueue, videos: VideoMoves, scratch: Scratch
    ) -> None:
        self._database = database
        self._objects = objects
        self._jobs = jobs
        self._videos = videos
        self._scratch = scratch

    @abstractmethod
    async def process(self, payload: P, video: Video, context: JobContext) -> R:
        """The work itself, which may be repeated after a crash. Large results are stored as objects here."""

    @abstractmethod
    async def store(self, tx: Transaction, payload: P, result: R) -> JobPayload | None:
        """Writes the result in the transaction that finishes the job; returns the next job, if there is one."""

    @abstractmethod
    def summary(self, result: R) -> dict[str, Any]:
        """The result as the job's record keeps it."""

    async def check(self, payload: P) -> None:
        """Raises when the stage cannot run at all; the video is left as it is. Checks nothing by default."""

    async def discard(self, video_id: UUID) -> None:
        """Removes the objects that were stored for a video that has been removed since. Removes nothing by default."""

    async def run(self, payload: P, context: JobContext) -> None:
        await self.check(payload)
        video = await self._start(payload.video_id)
        if video is None:
            return
        result = await self.process(payload, video, context)
        async with self._database.transaction() as tx:
            is_removed = await get_video(tx, video.id) is None
        if is_removed:
            await self.discard(video.id)
            return
        async with context.finishing(result=self.summary(result)) as tx:
            next_job = await self.store(tx, payload, result)
            if next_job is not None:
                await self._jobs.enqueue(tx, next_job)

    async def on_failed(self, tx: Transaction, payload: P, error: dict[str, Any]) -> None:
        reason = f"{self.failure_prefix}{error['message']}"
        await self._videos.move_if(tx, payload.video_id, VideoStatus.FAILED, reason=reason)

    async def on_claimed_elsewhere(self, tx: Transaction, payload: P) -> None:
        await self._resume(tx, payload.video_id)

    async def successor(self, payload: P) -> JobPayload | None:
        async with self._database.transaction() as tx:
            video = await get_video(tx, payload.video_id)
        if video is None or video.status.is_final:
            return None
        return await self.next_job_elsewhere(payload)

    async def next_job_elsewhere(self, payload: P) -> JobPayload | None:
        """The next job after another program has run this stage and enqueued none. Reads what it stored."""
        return None

    async def _start(self, video_id: UUID) -> Video | None:
        """The video, resumed if it had failed; None if it was removed."""
        async with self._database.transaction() as tx:
            await self._resume(tx, video_id)
            return await get_video(tx, video_id)

    async def _resume(self, tx: Transaction, video_id: UUID) -> None:
        await self._videos.resume(tx, video_id, reason=f"{self.job_type} was tried again")
        await self._videos.advance(tx, video_id, self.start_status)

    async def _remove_stale(self, prefix: str, present: set[str]) -> None:
        """Removes objects of an earlier attempt that this one did not store again."""
        stale = [stored.key async for stored in self._objects.find(prefix) if stored.key not in present]
        if stale:
            await self._objects.delete(stale)
