"""The end of a tus upload: its last bytes become a part, or other uploads are joined, and the video is completed."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

import structlog

from sightline.db import Database
from sightline.errors import NotFound
from sightline.objects import ObjectStore, original_key, tus_prefix
from sightline.uploads.multipart import Uploads
from sightline.uploads.plan import PartsRefused
from sightline.uploads.store import part_numbers, save_parts, touch
from sightline.uploads.tus.store import advance, claim_writer, delete_part, delete_pieces, get_tus_upload, list_pieces
from sightline.uploads.tus.upload import Piece, TusUpload, WriterReplaced, plan_of
from sightline.uploads.upload import UploadState

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Slice:
    """Some bytes of a piece."""

    piece: Piece
    start: int
    end: int


class TusCompletion:
    def __init__(self, database: Database, objects: ObjectStore, uploads: Uploads) -> None:
        self._database = database
        self._objects = objects
        self._uploads = uploads

    async def finish(self, upload: TusUpload) -> None:
        """Completes the video of an upload whose bytes have all arrived. Can be repeated after a crash at any point."""
        assert upload.video_id is not None
        if upload.state is not UploadState.OPEN:
            return
        if upload.sources is None:
            await self._store_rest(upload)
        else:
            await self._join(upload, upload.sources)
        try:
            await self._uploads.complete(upload.video_id, None)
        except PartsRefused as refused:
            # Two clients sent different bytes at the same time. Which of them is meant is not known.
            reason = f"the stored parts are not those that were received: {refused.message}"
            await self._uploads.discard(upload.video_id, reason=reason)
            raise
        await self._objects.delete_prefix(tus_prefix(upload.id))
        for source in upload.sources or ():
            await self.remove_part(source)

    async def remove_part(self, upload_id: UUID) -> None:
        """Removes an upload without a video. Its row goes last, so that a crash leaves nothing without a name."""
        await self._objects.delete_prefix(tus_prefix(upload_id))
        async with self._database.transaction() as tx:
            await delete_part(tx, upload_id)

    async def _store_rest(self, upload: TusUpload) -> None:
        """Pieces are left if the length became known only after the last byte had arrived."""
        async with self._database.transaction() as tx:
            pieces = await list_pieces(tx, upload.id)
        if not pieces:
            return
        content = b"".join([await self._objects.get(piece.key) for piece in pieces])
        number = pieces[0].start // upload.part_size + 1
        assert upload.store_upload_id is not None
        part = await self._objects.put_part(original_key(upload.id), upload.store_upload_id, number, content)
        async with self._database.transaction() as tx:
            await save_parts(tx, upload.id, [part])
            await delete_pieces(tx, upload.id, pieces)

    async def _join(self, upload: TusUpload, sources: Sequence[UUID]) -> None:
        """Parts of the joined file, from the pieces of the uploads it is made of. Goes on where an earlier try ended."""
        assert upload.length is not None
        assert upload.store_upload_id is not None
        plan, writer = plan_of(upload.length, upload.part_size), uuid4()
        pieces = [piece async for piece in self._pieces_of(sources)]
        async with self._database.transaction() as tx:
            present = await part_numbers(tx, upload.id)
            if not await claim_writer(tx, upload.id, writer, offset=upload.received):
                raise WriterReplaced("another request joins these uploads")
        received = upload.received
        for number in range(1, plan.total_parts + 1):
            start = (number - 1) * plan.part_size
            end = start + plan.size_of(number)
            if number in present and end <= received:
                continue
            content = b"".join(
                [
                    await self._objects.get(one.piece.key, start=one.start, end=one.end)
                    for one in slices_of(pieces, start, end)
                ]
            )
            part = await self._objects.put_part(original_key(upload.id), upload.store_upload_id, number, content)
            async with self._database.transaction() as tx:
                await save_parts(tx, upload.id, [part])
                await touch(tx, upload.id)
                if not await advance(tx, upload.id, writer, expected=received, received=end):
                    raise WriterReplaced("another request joins these uploads")
            received = end

    async def _pieces_of(self, sources: Sequence[UUID]) -> AsyncIterator[Piece]:
        """The pieces of all sources, with their places in the joined file."""
        base = 0
        for source in sources:
            async with self._database.transaction() as tx:
                upload = await get_tus_upload(tx, source)
                pieces = await list_pieces(tx, source)
            if upload is None:
                raise NotFound(f"no upload {source}", code="UPLOAD_NOT_FOUND")
            for piece in pieces:
                yield Piece(base + piece.start, piece.size, piece.key)
            base += upload.received


def slices_of(pieces: Sequence[Piece], start: int, end: int) -> list[_Slice]:
    """The slices of these pieces that are the bytes from `start` up to `end`. Pure."""
    return [
        _Slice(piece, max(start - piece.start, 0), min(end - piece.start, piece.size))
        for piece in pieces
        if piece.start < end and piece.start + piece.size > start
    ]
