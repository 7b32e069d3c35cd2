"""Receiving what clients send to the disk backend in chunks: whole objects, and parts of uploads."""

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from sightline.objects.disk.announcements import Announcement, ObjectAnnouncer
from sightline.objects.disk.health import FreeSpace, check_free_space
from sightline.objects.disk.incoming import IncomingBytes
from sightline.objects.disk.metadata import ObjectMetadata
from sightline.objects.disk.parts import (
    PartLocation,
    PartRecord,
    claim_location,
    record_part,
    release_location,
    sync_location,
)
from sightline.objects.disk.reader import ObjectReader
from sightline.objects.disk.threads import DiskThreads, ended
from sightline.objects.disk.uploads import DiskUploads, UploadFolder
from sightline.objects.disk.whole_objects import DiskWholeObjects
from sightline.objects.errors import no_such_upload, translate_os_errors
from sightline.objects.protocol import check_part_number, replaces_md5
from sightline.objects.store import StoredObject, StoredPart
from sightline.timing import Clock


class DiskReceiver:
    def __init__(
        self,
        whole: DiskWholeObjects,
        uploads: DiskUploads,
        announcer: ObjectAnnouncer,
        threads: DiskThreads,
        *,
        directory: Path,
        minimum_free_bytes: int,
        free_space: FreeSpace,
        clock: Clock,
    ) -> None:
        self._whole = whole
        self._uploads = uploads
        self._announcer = announcer
        self._threads = threads
        self._directory = directory
        self._minimum_free_bytes = minimum_free_bytes
        self._free_space = free_space
        self._clock = clock

    @asynccontextmanager
    async def object(
        self,
        key: str,
        *,
        length: int,
        content_type: str | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        checksums: Iterable[str] = (),
    ) -> AsyncIterator[IncomingBytes[StoredObject]]:
        """The object is announced once it is committed. Without `commit`, nothing of it remains."""
        path, handle = await self._threads.run(self._start_object, key, length)
        announcements: list[Announcement] = []

        def commit(md5: str) -> StoredObject:
            metadata = ObjectMetadata(md5, content_type, headers)
            stored, announcement = self._whole.commit_sent(key, path, handle, metadata)
            announcements.append(announcement)
            return stored

        def discard() -> None:
            self._whole.discard_sent(path, handle)

        incoming = IncomingBytes(
            self._threads,
            handle,
            length=length,
            operation=f"write {key}",
            checksums=checksums,
            commit=commit,
            discard=discard,
        )
        try:
            yield incoming
        finally:
            await incoming.discard()
        for announcement in announcements:
            await self._announcer.try_announce(announcement)

    @asynccontextmanager
    async def part(
        self, key: str, upload_id: str, number: int, *, length: int, checksums: Iterable[str] = ()
    ) -> AsyncIterator[IncomingBytes[StoredPart]]:
        """Without `commit`, the part stays what it was before. Its ETag is the md5, unless the client chose a checksum that
        the processor computes: a part's ETag only has to be repeated when the upload is completed (ADR 0116)."""
        names = frozenset(checksums)
        operation = f"write part {number} of {key}"
        folder, location = await self._threads.run(self._start_part, key, upload_id, number, length, operation)

        def commit(etag: str) -> StoredPart:
            with translate_os_errors(operation):
                return self._commit_part(folder, location, StoredPart(number, etag, length, self._clock()))

        def discard() -> None:
            release_location(folder.path, location)
            os.close(location.handle)

        incoming = IncomingBytes(
            self._threads,
            location.handle,
            length=length,
            offset=location.offset,
            operation=operation,
            checksums=names,
            with_md5=not replaces_md5(names),
            commit=commit,
            discard=discard,
        )
        try:
            yield incoming
        finally:
            await incoming.discard()

    async def copy(
        self, source: ObjectReader, key: str, *, content_type: str | None, headers: tuple[tuple[str, str], ...]
    ) -> StoredObject:
        """Copies an open object inside the kernel, and announces the copy. It keeps the ETag: the bytes are the same."""
        metadata = ObjectMetadata(source.stored.etag, content_type, headers)
        copying = self._threads.start(self._copy, source, key, metadata)
        await ended(copying)
        stored, announcement = copying.result()
        await self._announcer.try_announce(announcement)
        return stored

    def _copy(self, source: ObjectReader, key: str, metadata: ObjectMetadata) -> tuple[StoredObject, Announcement]:
        with translate_os_errors(f"write {key}"):
            check_free_space(self._directory, source.stored.size, self._minimum_free_bytes, self._free_space)
        return self._whole.copy_sent(source.handle, source.stored, key, metadata)

    def _start_object(self, key: str, length: int) -> tuple[Path, int]:
        with translate_os_errors(f"write {key}"):
            check_free_space(self._directory, length, self._minimum_free_bytes, self._free_space)
            return self._whole.create(key)

    def _start_part(
        self, key: str, upload_id: str, number: int, length: int, operation: str
    ) -> tuple[UploadFolder, PartLocation]:
        check_part_number(number)
        folder = self._uploads.open(key, upload_id)
        with translate_os_errors(operation):
            check_free_space(self._directory, length, self._minimum_free_bytes, self._free_space)
            try:
                return folder, claim_location(folder.path, number, length)
            except FileNotFoundError as error:
                raise no_such_upload(key, upload_id) from error

    def _commit_part(self, folder: UploadFolder, location: PartLocation, stored: StoredPart) -> StoredPart:
        try:
            try:
                sync_location(folder.path, location)
            except BaseException:
                release_location(folder.path, location)
                raise
            record_part(
                folder.path,
                PartRecord(stored.number, stored.etag, stored.size, location.file, location.offset, stored.modified_at),
            )
        except FileNotFoundError as error:
            raise no_such_upload(folder.key, folder.upload_id) from error
        finally:
            os.close(location.handle)
        return stored
