"""Receiving the bytes of a tus upload: stored part by part as they arrive, so that it resumes where it is durable.

Stores want parts of at least 5 MiB. Bytes that do not fill a part are kept as objects of their own, pieces, until the next
request fills it (ADR 0049). What counts is in the database: `received` moves together with the parts and pieces it stands for.
"""

import base64
import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol
from uuid import UUID, uuid4

from sightline.db import Database
from sightline.errors import Gone, NotFound, TooLarge, TransientFailure
from sightline.objects import ObjectStore, StoredPart, original_key, tus_piece_key
from sightline.uploads.progress import UploadProgress
from sightline.uploads.store import lock_upload, save_parts, touch
from sightline.uploads.tus.body import BodyReader
from sightline.uploads.tus.store import (
    advance,
    claim_writer,
    declare_length,
    delete_pieces,
    get_tus_upload,
    insert_pieces,
    list_pieces,
)
from sightline.uploads.tus.upload import (
    ChecksumMismatch,
    OffsetMismatch,
    Piece,
    TusUpload,
    WriterReplaced,
    plan_of,
)
from sightline.uploads.tus.write_turns import WriteTurn
from sightline.uploads.upload import UploadState
from sightline.videos import VideoMoves, VideoStatus

CHECKSUM_ALGORITHMS = ("md5", "sha1", "sha256")
MAX_BUFFERED_BYTES = 512 * 1024 * 1024
"""In memory at once, for all requests of a process."""


class Hasher(Protocol):
    def update(self, data: bytes, /) -> object: ...
    def digest(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class ExpectedChecksum:
    algorithm: str
    digest: bytes


@dataclass(slots=True)
class _Stored:
    """What a request has put into the store and not yet committed."""

    received: int
    parts: list[StoredPart] = field(default_factory=list)
    added: list[Piece] = field(default_factory=list)
    used: list[Piece] = field(default_factory=list)
    """Pieces whose bytes are in a part now."""


class TusReceiver:
    def __init__(self, database: Database, objects: ObjectStore, moves: VideoMoves, progress: UploadProgress) -> None:
        self._database = database
        self._objects = objects
        self._moves = moves
        self._progress = progress
        self._buffered = 0

    async def receive(
        self,
        upload_id: UUID,
        offset: int,
        chunks: AsyncIterator[bytes],
        turn: WriteTurn,
        *,
        checksum: ExpectedChecksum | None = None,
        length: int | None = None,
    ) -> TusUpload:
        """Returns the upload as it stands afterwards. `length` is that of an upload that was created without one.

        Without a checksum whatever arrives counts, also when the connection breaks; with one, all of it or nothing.
        """
        writer = uuid4()
        upload = await self._begin(upload_id, writer, offset, length)
        if self._buffered + upload.part_size > MAX_BUFFERED_BYTES:
            raise TransientFailure("too many uploads are being received; try again in a moment")
        self._buffered += upload.part_size
        try:
            hasher: Hasher | None = None if checksum is None else hashlib.new(checksum.algorithm, usedforsecurity=False)
            body = BodyReader(chunks, turn.interrupted, None if hasher is None else hasher.update)
            await self._receive(upload, writer, body, checksum, hasher)
        finally:
            self._buffered -= upload.part_size
        upload = await read_upload(self._database, upload_id)
        if turn.interrupted.is_set() and not upload.has_all_bytes:
            raise WriterReplaced("another request continues this upload")
        return upload

    async def _begin(self, upload_id: UUID, writer: UUID, offset: int, length: int | None) -> TusUpload:
        async with self._database.transaction() as tx:
            upload = await get_tus_upload(tx, upload_id)
            check_open(upload_id, upload)
            assert upload is not None
            if length is not None and length != upload.length:
                is_declared = await declare_length(tx, upload, plan_of(length, upload.part_size))
                if not is_declared:
                    raise OffsetMismatch("the length of this upload is known already, or more bytes have arrived")
            if upload.sources is not None or not await claim_writer(tx, upload_id, writer, offset=offset):
                raise OffsetMismatch(
                    f"the upload stands at byte {upload.received}, not {offset}", details={"offset": upload.received}
                )
        return await read_upload(self._database, upload_id)

    async def _receive(
        self,
        upload: TusUpload,
        writer: UUID,
        body: BodyReader,
        checksum: ExpectedChecksum | None,
        hasher: Hasher | None,
    ) -> None:
        async with self._database.transaction() as tx:
            pieces = await list_pieces(tx, upload.id)
        committed = upload.received
        stored = _Stored(committed)
        while (room := _room(upload, stored.received)) > 0 and not body.is_ended:
            content = await body.read(room)
            if content and (checksum is not None or upload.is_partial or len(content) < room):
                await self._store_piece(upload, stored, pieces, content)
            elif content:
                await self._store_part(upload, stored, pieces, content)
            if checksum is None and stored.received > committed:
                await self._commit(upload, writer, committed, stored)
                committed, stored = stored.received, _Stored(stored.received)
        if not body.is_ended and await body.has_more():
            raise TooLarge(f"the upload has {upload.length} bytes; more were sent")
        if checksum is not None and hasher is not None:
            if not body.is_whole or hasher.digest() != checksum.digest:
                await self._objects.delete([piece.key for piece in stored.added])
                given = base64.b64encode(checksum.digest).decode()
                raise ChecksumMismatch(
                    f"the {checksum.algorithm} of the received bytes is not {given}; send them again"
                )
            await self._make_parts(upload, stored, pieces)
            if stored.received > committed:
                await self._commit(upload, writer, committed, stored)

    async def _store_piece(self, upload: TusUpload, stored: _Stored, pieces: list[Piece], content: bytes) -> None:
        key = tus_piece_key(upload.id, uuid4())
        await self._objects.put(key, content, content_type="application/octet-stream")
        piece = Piece(stored.received, len(content), key)
        stored.added.append(piece)
        pieces.append(piece)
        stored.received += len(content)

    async def _store_part(self, upload: TusUpload, stored: _Stored, pieces: list[Piece], content: bytes) -> None:
        """Puts a part into the store: the pieces of it that are there, and these bytes."""
        start = pieces[0].start if pieces else stored.received
        before = [await self._objects.get(piece.key) for piece in pieces]
        assert upload.store_upload_id is not None
        part = await self._objects.put_part(
            original_key(upload.id),
            upload.store_upload_id,
            start // upload.part_size + 1,
            b"".join((*before, content)),
        )
        stored.parts.append(part)
        stored.used += pieces
        pieces.clear()
        stored.received += len(content)

    async def _make_parts(self, upload: TusUpload, stored: _Stored, pieces: Sequence[Piece]) -> None:
        """Parts of pieces whose checksum was right. Before that they must not be parts: a completion uses
        all parts that the store has."""
        if upload.is_partial:
            return
        for _, grouped in groupby(pieces, key=lambda piece: piece.start // upload.part_size):
            group = list(grouped)
            end = group[-1].start + group[-1].size
            if end % upload.part_size == 0 or end == upload.length:
                await self._store_part(upload, stored, group, b"")

    async def _commit(self, upload: TusUpload, writer: UUID, expected: int, stored: _Stored) -> None:
        async with self._database.transaction() as tx:
            if upload.video_id is not None:
                row = await lock_upload(tx, upload.video_id)
                if row is None or row.state is not UploadState.OPEN:
                    raise Gone(f"the upload {upload.id} has ended")
                await save_parts(tx, upload.video_id, stored.parts)
                await touch(tx, upload.video_id)
                await self._moves.move_if(tx, upload.video_id, VideoStatus.UPLOADING, expected=(VideoStatus.CREATED,))
            if not await advance(tx, upload.id, writer, expected=expected, received=stored.received):
                raise WriterReplaced("another request continues this upload")
            await insert_pieces(tx, upload.id, [piece for piece in stored.added if piece not in stored.used])
            await delete_pieces(tx, upload.id, stored.used)
        # Whatever a crash leaves here is deleted with the upload's prefix when it ends.
        await self._objects.delete([piece.key for piece in stored.used])
        if upload.video_id is not None and stored.parts:
            await self._progress.part_uploaded(upload.video_id)


async def read_upload(database: Database, upload_id: UUID) -> TusUpload:
    async with database.transaction() as tx:
        upload = await get_tus_upload(tx, upload_id)
    if upload is None:
        raise no_such_upload(upload_id)
    return upload


def no_such_upload(upload_id: UUID) -> NotFound:
    return NotFound(f"no upload {upload_id}", code="UPLOAD_NOT_FOUND")


def check_open(upload_id: UUID, upload: TusUpload | None) -> None:
    if upload is None:
        raise no_such_upload(upload_id)
    if upload.state in (UploadState.ABORTED, UploadState.ABORTING):
        raise Gone(f"the upload {upload_id} was discarded or has expired; start a new one")


def _room(upload: TusUpload, received: int) -> int:
    """How many bytes can be added until a part is full or the file is complete."""
    until_full = upload.part_size - (0 if upload.is_partial else received % upload.part_size)
    return until_full if upload.length is None else min(until_full, upload.length - received)
