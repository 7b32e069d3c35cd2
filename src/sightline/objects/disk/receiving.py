"""What clients send to the disk keeper piece by piece: whole objects, and parts of uploads."""

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from sightline.objects.disk.announcements import Announcement, Announcer
from sightline.objects.disk.health import check_room
from sightline.objects.disk.incoming import Incoming
from sightline.objects.disk.parts import PartRecord, Place, claim_place, drop_place, record_part, sync_place
from sightline.objects.disk.threads import DiskThreads
from sightline.objects.disk.uploads import DiskUploads, UploadFolder
from sightline.objects.disk.whole import DiskWhole
from sightline.objects.part_rules import check_number
from sightline.objects.refusals import no_such_upload, told
from sightline.objects.store import StoredObject, StoredPart
from sightline.timing import Clock


class DiskReceiving:
    def __init__(
        self,
        whole: DiskWhole,
        uploads: DiskUploads,
        announcer: Announcer,
        threads: DiskThreads,
        *,
        directory: Path,
        minimum_free_bytes: int,
        clock: Clock,
    ) -> None:
        self._whole = whole
        self._uploads = uploads
        self._announcer = announcer
        self._threads = threads
        self._directory = directory
        self._minimum_free_bytes = minimum_free_bytes
        self._clock = clock

    @asynccontextmanager
    async def object(
        self, key: str, *, length: int, content_type: str | None = None, checksums: Iterable[str] = ()
    ) -> AsyncIterator[Incoming[StoredObject]]:
        """Announced once it is kept. Left without `keep`, nothing of it stays."""
        path, handle = await self._threads.run(self._begin_object, key, length)
        announcements: list[Announcement] = []

        def keep(md5: str) -> StoredObject:
            stored, announcement = self._whole.keep_sent(key, path, handle, md5, content_type)
            announcements.append(announcement)
            return stored

        def discard() -> None:
            self._whole.drop_sent(path, handle)

        incoming = Incoming(
            self._threads,
            handle,
            length=length,
            doing=f"write {key}",
            checksums=checksums,
            keep=keep,
            discard=discard,
        )
        try:
            yield incoming
        finally:
            await incoming.discard()
        for announcement in announcements:
            await self._announcer.try_to_tell(announcement)

    @asynccontextmanager
    async def part(
        self, key: str, upload_id: str, number: int, *, length: int, checksums: Iterable[str] = ()
    ) -> AsyncIterator[Incoming[StoredPart]]:
        """Left without `keep`, the part is what it was before."""
        doing = f"write part {number} of {key}"
        folder, place = await self._threads.run(self._begin_part, key, upload_id, number, length, doing)

        def keep(md5: str) -> StoredPart:
            with told(doing):
                return self._keep_part(folder, place, StoredPart(number, md5, length, self._clock()))

        def discard() -> None:
            drop_place(folder.path, place)
            os.close(place.handle)

        incoming = Incoming(
            self._threads,
            place.handle,
            length=length,
            offset=place.offset,
            doing=doing,
            checksums=checksums,
            keep=keep,
            discard=discard,
        )
        try:
            yield incoming
        finally:
            await incoming.discard()

    def _begin_object(self, key: str, length: int) -> tuple[Path, int]:
        with told(f"write {key}"):
            check_room(self._directory, length, self._minimum_free_bytes)
            return self._whole.create(key)

    def _begin_part(self, key: str, upload_id: str, number: int, length: int, doing: str) -> tuple[UploadFolder, Place]:
        check_number(number)
        folder = self._uploads.open(key, upload_id)
        with told(doing):
            check_room(self._directory, length, self._minimum_free_bytes)
            try:
                return folder, claim_place(folder.path, number, length)
            except FileNotFoundError as error:
                raise no_such_upload(key, upload_id) from error

    def _keep_part(self, folder: UploadFolder, place: Place, stored: StoredPart) -> StoredPart:
        try:
            try:
                sync_place(folder.path, place)
            except BaseException:
                drop_place(folder.path, place)
                raise
            record_part(
                folder.path,
                PartRecord(stored.number, stored.etag, stored.size, place.file, place.offset, stored.modified_at),
            )
        except FileNotFoundError as error:
            raise no_such_upload(folder.key, folder.upload_id) from error
        finally:
            os.close(place.handle)
        return stored
