"""The disk keeper: objects as plain files below one directory, served by this application under signed addresses."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path

from prometheus_client import CollectorRegistry

from sightline.objects.disk.addresses import DiskAddresses
from sightline.objects.disk.announcements import Announce, AnnouncementUpkeep, Announcer, PendingAnnouncements
from sightline.objects.disk.assembly import DiskAssembly
from sightline.objects.disk.finished import FinishedUploads
from sightline.objects.disk.health import write_and_measure
from sightline.objects.disk.layout import Layout
from sightline.objects.disk.metadata import Notes, open_notes
from sightline.objects.disk.receiving import DiskReceiving
from sightline.objects.disk.sweep import DiskSweep
from sightline.objects.disk.threads import DiskThreads
from sightline.objects.disk.uploads import DiskUploads
from sightline.objects.disk.whole import DiskWhole
from sightline.objects.refusals import no_such_key, told
from sightline.objects.sigv4 import SigningKey
from sightline.objects.store import SMALLEST_PART, OpenUpload, PartTag, StoredObject, StoredPart
from sightline.timing import Clock, utc_now

PIECE = 512 * 1024
PAGE = 500


class Reading:
    """An open object."""

    def __init__(self, threads: DiskThreads, handle: int, stored: StoredObject) -> None:
        self._threads = threads
        self._handle = handle
        self.stored = stored

    async def pieces(self, start: int, end: int) -> AsyncIterator[bytes]:
        """The bytes from `start` up to `end`, which is not included and not behind the object's own."""
        with told(f"read {self.stored.key}"):
            while start < end:
                piece = await self._threads.run(os.pread, self._handle, min(PIECE, end - start), start)
                if not piece:
                    raise OSError(f"{self.stored.key} became shorter while it was read")
                yield piece
                start += len(piece)


class DiskObjects(DiskAddresses):
    etags_are_md5 = True

    def __init__(
        self,
        directory: Path,
        bucket: str,
        *,
        key: SigningKey,
        public_url: str,
        announce: Announce,
        minimum_free_bytes: int = 0,
        smallest_part: int = SMALLEST_PART,
        clock: Clock = utc_now,
        notes: Notes | None = None,
    ) -> None:
        """Blocking, for a moment: makes the directory. `notes` are those that the file system can do."""
        super().__init__(bucket, key, public_url, clock)
        self.layout = layout = Layout(directory)
        self.threads = DiskThreads()
        self._minimum_free_bytes = minimum_free_bytes
        self._pending = PendingAnnouncements(layout.announcements)
        self._announcer = Announcer(announce, self.threads)
        notes = notes or open_notes(layout.hidden)
        self._finished = FinishedUploads(layout.finished)
        self._whole = DiskWhole(bucket, layout, notes, self._pending, self.threads.check_open)
        self._uploads = DiskUploads(layout, self._finished, clock)
        self._assembly = DiskAssembly(
            bucket,
            layout,
            notes,
            self._uploads,
            self._finished,
            self._pending,
            smallest_part=smallest_part,
            check_open=self.threads.check_open,
        )
        self.receiving = DiskReceiving(
            self._whole,
            self._uploads,
            self._announcer,
            self.threads,
            directory=layout.root,
            minimum_free_bytes=minimum_free_bytes,
            clock=clock,
        )

    def upkeep(self, registry: CollectorRegistry | None = None) -> tuple[AnnouncementUpkeep, DiskSweep]:
        """Services that have to run in one process at least."""
        announcements = AnnouncementUpkeep(self._pending, self._announcer, self.head, self.threads, registry=registry)
        return announcements, DiskSweep(self.layout, self._uploads, self._finished, self.threads)

    def close(self) -> None:
        self.threads.close()

    # Whole objects

    async def put(self, key: str, content: bytes, *, content_type: str | None = None) -> StoredObject:
        return await self.threads.run(self._whole.put, key, content, content_type)

    async def put_file(self, key: str, path: Path, *, content_type: str | None = None) -> StoredObject:
        return await self.threads.run(self._whole.put_file, key, path, content_type)

    async def get(self, key: str, *, start: int = 0, end: int | None = None) -> bytes:
        return b"".join([piece async for piece in self.stream(key, start=start, end=end)])

    async def stream(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        async with self.reading(key) as reading:
            size = reading.stored.size
            async for piece in reading.pieces(start, size if end is None else min(end, size)):
                yield piece

    @asynccontextmanager
    async def reading(self, key: str) -> AsyncIterator[Reading]:
        """The object as it is now; a replacement meanwhile does not disturb it."""
        stored, handle = await self.threads.run(self._whole.open, key)
        try:
            yield Reading(self.threads, handle, stored)
        finally:
            os.close(handle)

    async def head(self, key: str) -> StoredObject | None:
        return await self.threads.run(self._whole.describe, key)

    async def find(self, prefix: str) -> AsyncIterator[StoredObject]:
        found = self._whole.find(prefix)
        while page := await self.threads.run(lambda: list(islice(found, PAGE))):
            for stored in page:
                yield stored

    async def page(self, prefix: str, *, after: bytes, most: int) -> list[StoredObject]:
        """The first so many objects whose keys begin so and come after, in the order of their UTF-8 bytes."""
        return await self.threads.run(lambda: list(islice(self._whole.find(prefix, after=after), most)))

    async def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            await self.threads.run(self._whole.delete, key)

    async def delete_prefix(self, prefix: str) -> int:
        return await self.threads.run(self._whole.delete_prefix, prefix)

    @asynccontextmanager
    async def local(self, key: str) -> AsyncIterator[Path]:
        yield Path(await self.readable(key))

    async def readable(self, key: str, *, expires_s: float = 6 * 3600) -> str:
        found = await self.threads.run(self.layout.find, key)
        if found is None:
            raise no_such_key(key)
        return str(found[0])

    # Multipart uploads

    async def create_upload(self, key: str, *, content_type: str | None = None) -> str:
        with told(f"begin an upload of {key}"):
            return await self.threads.run(self._uploads.create, key, content_type)

    async def put_part(self, key: str, upload_id: str, number: int, content: bytes) -> StoredPart:
        async with self.receiving.part(key, upload_id, number, length=len(content)) as incoming:
            await incoming.take(content)
            await incoming.settle()
            return await incoming.keep()

    async def list_parts(self, key: str, upload_id: str) -> list[StoredPart]:
        return await self.threads.run(self._uploads.list_parts, key, upload_id)

    async def complete_upload(self, key: str, upload_id: str, parts: Sequence[PartTag]) -> StoredObject:
        stored, announcement = await self.threads.run(self._assembly.complete, key, upload_id, parts)
        if announcement is not None:
            await self._announcer.try_to_tell(announcement)
        return stored

    async def abort_upload(self, key: str, upload_id: str) -> None:
        await self.threads.run(self._uploads.abort, key, upload_id)

    async def check_upload(self, key: str, upload_id: str) -> None:
        """Raises if there is none."""
        await self.threads.run(self._uploads.open, key, upload_id)

    async def find_uploads(self, prefix: str) -> AsyncIterator[OpenUpload]:
        for upload in await self.threads.run(self._uploads.find, prefix):
            yield upload

    async def check(self) -> None:
        await self.threads.run(write_and_measure, self.layout.temporary, self._minimum_free_bytes)
