"""Moves of a video: the only way its status changes. Checked, recorded, and announced in the same transaction."""

from typing import Protocol
from uuid import UUID

from sightline.bus import BusEvent, Sender
from sightline.contracts.video_events import STATUS_CHANGED, VIDEO_SOURCE, VideoStatusChanged
from sightline.db import Transaction
from sightline.videos.store import insert_video, lock_video, unknown_video, update_status
from sightline.videos.video import RESUMABLE, MoveRefused, NewVideo, Video, VideoStatus, sources_of, steps_between

MAX_REASON_LENGTH = 2000


class MoveListener(Protocol):
    """Is notified of a move in the transaction that makes it."""

    async def video_moved(self, tx: Transaction, video: Video, change: VideoStatusChanged) -> None: ...


class VideoMoves:
    """Creates videos and moves them. `page_url` is the URL of the web page."""

    def __init__(self, bus: Sender, *, page_url: str, listeners: tuple[MoveListener, ...] = ()) -> None:
        self._bus = bus
        self._page_url = page_url.rstrip("/")
        self._listeners = listeners

    async def create(self, tx: Transaction, new: NewVideo) -> Video | None:
        """A new video in CREATED; None if the id exists."""
        video = await insert_video(tx, new)
        if video is not None:
            await self._announce(tx, video, previous=None)
        return video

    async def move(self, tx: Transaction, video_id: UUID, to: VideoStatus, *, reason: str | None = None) -> Video:
        """Makes an allowed move, or raises `MoveRefused`. FAILED needs a reason in words for people."""
        moved = await self.move_if(tx, video_id, to, reason=reason)
        if moved is not None:
            return moved
        present = await lock_video(tx, video_id)
        if present is None:
            raise unknown_video(video_id)
        raise MoveRefused(video_id, present.status, to)

    async def move_if(
        self,
        tx: Transaction,
        video_id: UUID,
        to: VideoStatus,
        *,
        expected: tuple[VideoStatus, ...] | None = None,
        reason: str | None = None,
    ) -> Video | None:
        """As `move`, for repeated calls: None if the video is not in a status from which the move is allowed."""
        if to is VideoStatus.FAILED and not reason:
            raise ValueError("a move to FAILED needs a reason")
        before = await lock_video(tx, video_id)
        allowed = sources_of(to) if expected is None else expected
        if before is None or before.status not in allowed:
            return None
        return await self._write(tx, before, to, reason)

    async def advance(self, tx: Transaction, video_id: UUID, to: VideoStatus) -> Video | None:
        """Makes all moves from UPLOADED or a later status up to this one, each announced. None if there is none to make.

        A job may be run by another program that moves nothing, so no stage relies on the one before it.
        """
        video = await lock_video(tx, video_id)
        if video is None or not (steps := steps_between(video.status, to)):
            return None
        for status in steps:
            video = await self._write(tx, video, status, None)
        return video

    async def resume(self, tx: Transaction, video_id: UUID, *, reason: str) -> Video | None:
        """Moves a failed video back to where it failed, because the failed job is retried; None if that is not possible."""
        before = await lock_video(tx, video_id)
        if before is None or before.status is not VideoStatus.FAILED or before.failed_from not in RESUMABLE:
            return None
        return await self._write(tx, before, before.failed_from, reason)

    async def _write(self, tx: Transaction, before: Video, to: VideoStatus, reason: str | None) -> Video:
        stored_reason = None if reason is None else reason.replace("\0", "\ufffd")[:MAX_REASON_LENGTH]
        video = await update_status(tx, before.id, to, expected=[before.status], reason=stored_reason)
        assert video is not None, "the row is locked by this transaction"
        await self._announce(tx, video, previous=before.status)
        return video

    async def _announce(self, tx: Transaction, video: Video, previous: VideoStatus | None) -> None:
        is_done = video.status is VideoStatus.COMPLETED
        change = VideoStatusChanged(
            video_id=video.id,
            status=video.status,
            previous_status=previous,
            user_id=video.person_id,
            user_email=video.owner_email,
            video_name=video.name,
            download_url=f"{self._page_url}/ui/videos/{video.id}" if is_done else None,
            error_reason=video.error_reason,
            changed_at=video.updated_at,
            move=video.moves,
        )
        event = BusEvent(VIDEO_SOURCE, STATUS_CHANGED, change.to_detail(), lane=str(video.owner_id))
        await self._bus.put_events(tx, event)
        for listener in self._listeners:
            await listener.video_moved(tx, video, change)
