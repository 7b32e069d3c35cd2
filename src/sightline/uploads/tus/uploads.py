"""Uploads by tus: created, written, joined, discarded, and finished when their client does not come back."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import structlog

from sightline.db import Database, Transaction
from sightline.errors import Conflict, PlatformError, QuotaExceeded
from sightline.objects import ObjectStore
from sightline.supervisor import Every
from sightline.uploads.admission import UploadAdmission
from sightline.uploads.multipart import Uploads
from sightline.uploads.progress import UploadProgress
from sightline.uploads.settings import UploadsSettings
from sightline.uploads.tus.completion import TusCompletion
from sightline.uploads.tus.receiver import ExpectedChecksum, TusReceiver, no_such_upload, read_upload
from sightline.uploads.tus.store import (
    find_joined,
    get_tus_upload,
    insert_tus_upload,
    list_idle_parts,
    list_unfinished,
    open_parts_of_owner,
    touch_all,
)
from sightline.uploads.tus.upload import TusUpload, part_size_of, plan_of
from sightline.uploads.tus.write_turns import WriteTurns
from sightline.videos import NewVideo, VideoMoves

SWEEP_EVERY_S = 60.0
QUIET_S = 120.0
"""An upload that is being completed is not touched for so long only if the process that did it is gone."""
MAX_OPEN_PARTS = 200
"""Uploads without a video that an owner may have; clients that send a file in parallel use a handful."""
MAX_SOURCES = 100

log = structlog.get_logger(__name__)


class TusUploads:
    """Access is checked by the caller, not here."""

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        moves: VideoMoves,
        uploads: Uploads,
        progress: UploadProgress,
        admission: UploadAdmission,
        settings: UploadsSettings,
    ) -> None:
        self._database = database
        self._uploads = uploads
        self._admission = admission
        self._idle = timedelta(hours=settings.abandoned_after_h)
        self._receiver = TusReceiver(database, objects, moves, progress)
        self._completion = TusCompletion(database, objects, uploads)
        self._turns = WriteTurns()

    # Creation ----------------------------------------------------------------------------------------------------

    async def create(self, video: Callable[[UUID], NewVideo], length: int | None, metadata: str) -> TusUpload:
        """An upload that becomes a video; `length` is None if the client says it later."""
        part_size = part_size_of(length)
        return await self._create_video(video, length, part_size, metadata)

    async def create_partial(self, owner_id: UUID, length: int | None, metadata: str) -> TusUpload:
        """An upload of a part of a file, which counts among the owner's bytes but is no video."""
        upload_id, part_size = uuid4(), part_size_of(length)
        async with self._database.transaction() as tx:
            await self._admission.lock(tx, owner_id)
            count, size = await open_parts_of_owner(tx, owner_id)
            if count >= MAX_OPEN_PARTS:
                raise QuotaExceeded(
                    f"you have {count} unfinished partial uploads; finish or delete some of them first",
                    details={"limit": MAX_OPEN_PARTS},
                )
            await self._admission.check(tx, owner_id, size + (length or 0))
            await insert_tus_upload(
                tx, upload_id, owner_id, is_partial=True, length=length, part_size=part_size, metadata=metadata
            )
        return await self.need(upload_id)

    async def join(
        self, video: Callable[[UUID], NewVideo], owner_id: UUID, sources: Sequence[UUID], metadata: str
    ) -> TusUpload:
        """A video made of partial uploads, complete when this returns. Repeating it returns the same upload."""
        async with self._database.transaction() as tx:
            joined = await find_joined(tx, owner_id, sources)
            found = [] if joined else [await get_tus_upload(tx, source) for source in sources]
            await touch_all(tx, sources)
        if joined is None:
            length = 0
            for source, upload in zip(sources, found, strict=True):
                if upload is None or not upload.is_partial or upload.owner_id != owner_id:
                    raise no_such_upload(source)
                if not upload.has_all_bytes:
                    raise Conflict(f"the partial upload {source} is not complete: {upload.received} bytes have arrived")
                length += upload.received
            joined = (await self._create_video(video, length, part_size_of(length), metadata, sources)).id
        return await self.finish(joined)

    async def _create_video(
        self,
        video: Callable[[UUID], NewVideo],
        length: int | None,
        part_size: int,
        metadata: str,
        sources: Sequence[UUID] | None = None,
    ) -> TusUpload:
        owners: list[UUID] = []

        def new_video(video_id: UUID) -> NewVideo:
            new = video(video_id)
            owners.append(new.uploaded_by or new.owner_id)
            return new

        async def also(tx: Transaction, video_id: UUID) -> None:
            await insert_tus_upload(
                tx,
                video_id,
                owners[0],
                is_partial=False,
                length=length,
                part_size=part_size,
                metadata=metadata,
                sources=sources,
            )

        plan = None if length is None else plan_of(length, part_size)
        started = await self._uploads.start(new_video, plan, also=also)
        return await self.need(started.video.id)

    # Bytes -------------------------------------------------------------------------------------------------------

    async def write(
        self,
        upload_id: UUID,
        offset: int,
        chunks: AsyncIterator[bytes],
        *,
        checksum: ExpectedChecksum | None = None,
        length: int | None = None,
    ) -> TusUpload:
        """Adds bytes at the offset, and completes the video with the last of them."""
        async with self._turns.take(upload_id) as turn:
            upload = await self._receiver.receive(upload_id, offset, chunks, turn, checksum=checksum, length=length)
            if upload.has_all_bytes and not upload.is_partial:
                await self._completion.finish(upload)
        return await self.need(upload_id)

    async def standing(self, upload_id: UUID) -> TusUpload:
        """How far the upload is, after a request that is still writing has stored what it received."""
        await self._turns.interrupt(upload_id)
        upload = await self.need(upload_id)
        if upload.has_all_bytes and not upload.is_partial:
            return await self.finish(upload_id)  # the process may have been killed before it could
        return upload

    async def finish(self, upload_id: UUID) -> TusUpload:
        async with self._turns.take(upload_id):
            await self._completion.finish(await self.need(upload_id))
        return await self.need(upload_id)

    async def discard(self, upload: TusUpload) -> None:
        """Deletes what has arrived. The video of a discarded upload is FAILED."""
        await self._turns.interrupt(upload.id)
        if upload.video_id is not None:
            await self._uploads.discard(upload.video_id)
        else:
            await self._completion.remove_part(upload.id)

    async def need(self, upload_id: UUID) -> TusUpload:
        return await read_upload(self._database, upload_id)

    def expires_at(self, upload: TusUpload) -> datetime:
        """When it is removed, unless bytes arrive before."""
        return upload.touched_at + self._idle

    # Maintenance -------------------------------------------------------------------------------------------------

    def service(self) -> Every:
        return Every("tus-uploads", SWEEP_EVERY_S, self.sweep)

    async def sweep(self, *, quiet_s: float = QUIET_S) -> None:
        """Completes what a killed process left, and removes partial uploads that no client continues."""
        async with self._database.transaction() as tx:
            unfinished = await list_unfinished(tx, quiet_s=quiet_s)
            idle = await list_idle_parts(tx, idle_s=self._idle.total_seconds())
        for upload_id in unfinished:
            try:
                await self.finish(upload_id)
                log.info("tus.completed_late", upload_id=str(upload_id))
            except PlatformError as error:  # one that fails must not hold up the others
                log.warning("tus.not_completed", upload_id=str(upload_id), error=error.message)
        for upload_id in idle:
            await self._completion.remove_part(upload_id)
            log.info("tus.partial_expired", upload_id=str(upload_id))
