"""An original is whole in the store: one UPLOADED move and one start of processing, whoever noticed first.

The client's `complete`, the storage event and the scanner all end here, in any order, at once or twice.
"""

import hashlib
from collections.abc import Sequence
from uuid import UUID

import structlog

from sightline.bus import QueueMessage, Sender
from sightline.bus.topology import SPLIT_QUEUE
from sightline.contracts.split import SplitVideo
from sightline.db import Database, Transaction
from sightline.objects import original_key
from sightline.objects.store import Objects, StoredObject, StoredPart
from sightline.uploads.plan import Plan, bare
from sightline.uploads.store import end_upload, keep_parts, list_parts, lock_upload
from sightline.uploads.upload import Part, Upload, UploadState
from sightline.videos import NewVideo, Video, VideoMoves, VideoStatus, get_video, set_size

log = structlog.get_logger(__name__)

_UNFINISHED = (UploadState.OPEN, UploadState.ABORTING)


class Arrivals:
    def __init__(self, database: Database, objects: Objects, moves: VideoMoves, bus: Sender) -> None:
        self._database = database
        self._objects = objects
        self._moves = moves
        self._bus = bus

    async def settle(
        self, stored: StoredObject, video_id: UUID, parts: Sequence[StoredPart] | None = None
    ) -> Video | None:
        """The video as it stands after its original was seen whole; None if there is no such video.

        `parts` are those it was made of, as the store listed them, if somebody knows.
        """
        async with self._database.transaction() as tx:
            upload = await lock_upload(tx, video_id)
            if upload is not None and upload.state in _UNFINISHED:
                await self._end(tx, upload, stored, parts)
            return await get_video(tx, video_id)

    async def adopt(self, stored: StoredObject, new: NewVideo) -> Video | None:
        """Takes in an original that was dropped into the store; None if there is such a video already."""
        async with self._database.transaction() as tx:
            if await self._moves.create(tx, new) is None:
                return None
            return await self._uploaded(tx, new.id, stored, reason="found in the store")

    async def _end(
        self, tx: Transaction, upload: Upload, stored: StoredObject, parts: Sequence[StoredPart] | None
    ) -> None:
        if parts:
            await keep_parts(tx, upload.video_id, parts)
        known = await list_parts(tx, upload.video_id)
        if (wrong := _complaint(upload, stored, known, are_md5=self._objects.etags_are_md5)) is not None:
            await end_upload(tx, upload.video_id, UploadState.ABORTED, expected=_UNFINISHED, etag=stored.etag)
            await self._moves.move_if(tx, upload.video_id, VideoStatus.FAILED, reason=wrong)
            log.warning("upload.refused", video_id=str(upload.video_id), reason=wrong)
            return
        plan = upload.plan or _plan_of(stored, parts)
        await keep_parts(tx, upload.video_id, _missing(plan, stored, known))
        await end_upload(tx, upload.video_id, UploadState.COMPLETED, expected=_UNFINISHED, etag=stored.etag, plan=plan)
        await self._uploaded(tx, upload.video_id, stored)

    async def _uploaded(
        self, tx: Transaction, video_id: UUID, stored: StoredObject, reason: str | None = None
    ) -> Video | None:
        """The move and the message that starts the processing commit together."""
        await set_size(tx, video_id, stored.size)
        moved = await self._moves.move_if(tx, video_id, VideoStatus.UPLOADED, reason=reason)
        if moved is not None:
            message = SplitVideo(video_id=video_id, bucket=self._objects.bucket, key=original_key(video_id))
            await self._bus.send(tx, SPLIT_QUEUE, QueueMessage(message.to_json()))
            log.info("upload.arrived", video_id=str(video_id), bytes=stored.size)
        return moved


def _complaint(upload: Upload, stored: StoredObject, known: Sequence[Part], *, are_md5: bool) -> str | None:
    """Why the stored object is not the file that was declared, for people to read; None if it is."""
    if upload.total_size is not None and stored.size != upload.total_size:
        return f"the stored file has {stored.size} bytes, {upload.total_size} were declared"
    if are_md5 and known and len(known) == upload.total_parts:
        joined = b"".join(bytes.fromhex(part.etag) for part in known if _is_md5(part.etag))
        expected = f"{hashlib.md5(joined, usedforsecurity=False).hexdigest()}-{len(known)}"
        if len(joined) == 16 * len(known) and bare(stored.etag) != expected:
            return "the stored file is not made of the parts that were reported"
    return None


def _is_md5(etag: str) -> bool:
    return len(etag) == 32 and all(letter in "0123456789abcdef" for letter in etag)


def _plan_of(stored: StoredObject, parts: Sequence[StoredPart] | None) -> Plan:
    """Of an upload whose size nobody declared: what it turned out to be."""
    return Plan(stored.size, max(parts[0].size if parts else stored.size, 1))


def _missing(plan: Plan, stored: StoredObject, known: Sequence[Part]) -> list[StoredPart]:
    """Parts that nobody reported. The store forgets parts once they are one object, so they bear the object's ETag."""
    reported = {part.number for part in known}
    return [
        StoredPart(number, stored.etag, plan.size_of(number), stored.modified_at)
        for number in range(1, plan.total_parts + 1)
        if number not in reported
    ]
