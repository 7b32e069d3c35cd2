"""Completion of uploads: an original that is complete in the store causes one move to UPLOADED and one start of processing.

The client's `complete`, the storage event and the scanner all end here, in any order, at the same time or twice.
"""

from collections.abc import Sequence
from uuid import UUID

import structlog

from sightline.bus import SPLIT_QUEUE, QueueMessage, Sender
from sightline.contracts.split import SplitVideo
from sightline.db import Database, Transaction
from sightline.objects import ObjectStore, StoredObject, StoredPart, etag_of_parts, original_key
from sightline.observability import resumed_span
from sightline.uploads.plan import UploadPlan, normalize_etag
from sightline.uploads.store import end_upload, list_parts, lock_upload, save_parts
from sightline.uploads.upload import Upload, UploadPart, UploadState
from sightline.videos import NewVideo, Video, VideoMoves, VideoStatus, get_video, set_size

log = structlog.get_logger(__name__)

_UNFINISHED = (UploadState.OPEN, UploadState.ABORTING)


class UploadCompletion:
    def __init__(self, database: Database, objects: ObjectStore, moves: VideoMoves, bus: Sender) -> None:
        self._database = database
        self._objects = objects
        self._moves = moves
        self._bus = bus

    async def finish(
        self, stored: StoredObject, video_id: UUID, parts: Sequence[StoredPart] | None = None
    ) -> Video | None:
        """Ends the upload of a complete original; returns the video, or None if it does not exist.

        `parts` are the parts of the original as the store listed them, if the caller knows them.
        """
        async with self._database.transaction() as tx:
            upload = await lock_upload(tx, video_id)
            if upload is not None and upload.state in _UNFINISHED:
                # A request, an event of the store or the scanner may be first here; the trace is that of the upload.
                with resumed_span("upload.complete", upload.context):
                    await self._end(tx, upload, stored, parts)
            return await get_video(tx, video_id)

    async def adopt(self, stored: StoredObject, new: NewVideo) -> Video | None:
        """Creates the video of an original that was put directly into the store; None if it exists already."""
        async with self._database.transaction() as tx:
            if await self._moves.create(tx, new) is None:
                return None
            return await self._uploaded(tx, new.id, stored, reason="found in the store")

    async def _end(
        self, tx: Transaction, upload: Upload, stored: StoredObject, parts: Sequence[StoredPart] | None
    ) -> None:
        if parts:
            await save_parts(tx, upload.video_id, parts)
        known = await list_parts(tx, upload.video_id)
        if (mismatch := _find_mismatch(upload, stored, known, are_md5=self._objects.etags_are_md5)) is not None:
            await end_upload(tx, upload.video_id, UploadState.ABORTED, expected=_UNFINISHED, etag=stored.etag)
            await self._moves.move_if(tx, upload.video_id, VideoStatus.FAILED, reason=mismatch)
            log.warning("upload.refused", video_id=str(upload.video_id), reason=mismatch)
            return
        plan = upload.plan or _plan_of(stored, parts)
        await save_parts(tx, upload.video_id, _unreported_parts(plan, stored, known))
        await end_upload(tx, upload.video_id, UploadState.COMPLETED, expected=_UNFINISHED, etag=stored.etag, plan=plan)
        await self._uploaded(tx, upload.video_id, stored)

    async def _uploaded(
        self, tx: Transaction, video_id: UUID, stored: StoredObject, reason: str | None = None
    ) -> Video | None:
        """The move and the message that starts processing commit together."""
        await set_size(tx, video_id, stored.size)
        moved = await self._moves.move_if(tx, video_id, VideoStatus.UPLOADED, reason=reason)
        if moved is not None:
            message = SplitVideo(video_id=video_id, bucket=self._objects.bucket, key=original_key(video_id))
            await self._bus.send(tx, SPLIT_QUEUE, QueueMessage(message.to_json()))
            log.info("upload.completed", video_id=str(video_id), bytes=stored.size)
        return moved


def _find_mismatch(upload: Upload, stored: StoredObject, known: Sequence[UploadPart], *, are_md5: bool) -> str | None:
    """Why the stored object is not the declared file, in words for people; None if it is."""
    if upload.total_size is not None and stored.size != upload.total_size:
        return f"the stored file has {stored.size} bytes, {upload.total_size} were declared"
    if are_md5 and known and len(known) == upload.total_parts:
        expected = etag_of_parts(part.etag for part in known)
        if expected is not None and normalize_etag(stored.etag) != expected:
            return "the stored file is not made of the parts that were reported"
    return None


def _plan_of(stored: StoredObject, parts: Sequence[StoredPart] | None) -> UploadPlan:
    """The plan of an upload whose size was not declared, derived from the result."""
    return UploadPlan(stored.size, max(parts[0].size if parts else stored.size, 1))


def _unreported_parts(plan: UploadPlan, stored: StoredObject, known: Sequence[UploadPart]) -> list[StoredPart]:
    """Parts that were not reported. The store forgets parts once they are joined, so they get the ETag of the object."""
    reported = {part.number for part in known}
    return [
        StoredPart(number, stored.etag, plan.size_of(number), stored.modified_at)
        for number in range(1, plan.total_parts + 1)
        if number not in reported
    ]
