"""The disk backend's object store: objects as plain files below one directory."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from uuid import UUID

from prometheus_client import CollectorRegistry

from sightline.objects.disk.announcements import Announce, AnnouncementRetry, ObjectAnnouncer, PendingAnnouncements
from sightline.objects.disk.assembly import DiskAssembly
from sightline.objects.disk.completed import CompletedUploads
from sightline.objects.disk.health import FreeSpace, check_writable, free_space
from sightline.objects.disk.layout import DiskLayout
from sightline.objects.disk.metadata import MetadataStore, open_metadata_store
from sightline.objects.disk.reader import ObjectReader
from sightline.objects.disk.receiver import DiskReceiver
from sightline.objects.disk.signed_urls import DiskSignedUrls
from sightline.objects.disk.sweep import DiskSweep
from sightline.objects.disk.threads import DiskThreads
from sightline.objects.disk.uploads import DiskUploads
from sightline.objects.disk.url_generations import UrlGenerations
from sightline.objects.disk.whole_objects import DiskWholeObjects
from sightline.objects.errors import invalid_request, no_such_key, translate_os_errors
from sightline.objects.store import MIN_PART_BYTES, OpenUpload, PartTag, StoredObject, StoredPart
from sightline.sigv4 import SigningKey
from sightline.timing import Clock, utc_now

LIST_PAGE = 500


class DiskObjectStore(DiskSignedUrls):
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
        free_space: FreeSpace = free_space,
        min_part_bytes: int = MIN_PART_BYTES,
        clock: Clock = utc_now,
        metadata: MetadataStore | None = None,
    ) -> None:
        """Creates the directory, which blocks for a moment. By default, `metadata` is chosen by what the file system supports."""
        self.layout = layout = DiskLayout(directory)
        super().__init__(bucket, key, public_url, clock, UrlGenerations(layout))
        self.threads = DiskThreads()
        self._minimum_free_bytes = minimum_free_bytes
        self._free_space = free_space
        self._pending = PendingAnnouncements(layout.announcements)
        self._announcer = ObjectAnnouncer(announce, self.threads)
        metadata = metadata or open_metadata_store(layout.hidden)
        self._completed = CompletedUploads(layout.completed)
        self._whole = DiskWholeObjects(bucket, layout, metadata, self._pending, self.threads.check_open)
        self._uploads = DiskUploads(layout, self._completed, clock)
        self._assembly = DiskAssembly(
            bucket,
            layout,
            metadata,
            self._uploads,
            self._completed,
            self._pending,
            min_part_bytes=min_part_bytes,
            check_open=self.threads.check_open,
        )
        self.receiver = DiskReceiver(
            self._whole,
            self._uploads,
            self._announcer,
            self.threads,
            directory=layout.root,
            minimum_free_bytes=minimum_free_bytes,
            free_space=free_space,
            clock=clock,
        )

    def maintenance(self, registry: CollectorRegistry | None = None) -> tuple[AnnouncementRetry, DiskSweep]:
        """Work that has to run in at least one process."""
        announcements = AnnouncementRetry(self._pending, self._announcer, self.head, self.threads, registry=registry)
        return announcements, DiskSweep(self.layout, self._uploads, self._completed, self.generations, self.threads)

    def close(self) -> None:
        self.threads.close()

    # Whole objects

    def in_bucket(self, bucket: str) -> "DiskObjectStore":
        if bucket != self.bucket:
            raise invalid_request(
                "NoSuchBucket",
                f"objects are stored on disk, where {self.bucket} is the only bucket; {bucket} needs the S3 backend",
            )
        return self

    async def put(self, key: str, content: bytes, *, content_type: str | None = None) -> StoredObject:
        return await self.threads.run(self._whole.put, key, content, content_type)

    async def put_file(
        self, key: str, path: Path, *, content_type: str | None = None, etag: str | None = None
    ) -> StoredObject:
        return await self.threads.run(self._whole.put_file, key, path, content_type, etag)

    async def get(self, key: str, *, start: int = 0, end: int | None = None) -> bytes:
        return b"".join([chunk async for chunk in self.stream(key, start=start, end=end)])

    async def stream(self, key: str, *, start: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        async with self.open_reader(key) as reader:
            size = reader.stored.size
            async for chunk in reader.chunks(start, size if end is None else min(end, size)):
                yield chunk

    @asynccontextmanager
    async def open_reader(self, key: str) -> AsyncIterator[ObjectReader]:
        """Reads the object as it is now, even if it is replaced in the meantime."""
        stored, handle = await self.threads.run(self._whole.open, key)
        try:
            yield ObjectReader(self.threads, handle, stored)
        finally:
            os.close(handle)

    async def head(self, key: str) -> StoredObject | None:
        return await self.threads.run(self._whole.describe, key)

    async def find(self, prefix: str) -> AsyncIterator[StoredObject]:
        found = self._whole.find(prefix)
        while page := await self.threads.run(lambda: list(islice(found, LIST_PAGE))):
            for stored in page:
                yield stored

    async def list_page(self, prefix: str, *, after: bytes, limit: int) -> list[StoredObject]:
        """Up to `limit` objects with this key prefix that come after `after`, in the order of their UTF-8 bytes."""
        return await self.threads.run(lambda: list(islice(self._whole.find(prefix, after=after), limit)))

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

    async def create_upload(
        self, key: str, *, content_type: str | None = None, headers: tuple[tuple[str, str], ...] = ()
    ) -> str:
        with translate_os_errors(f"start an upload of {key}"):
            return await self.threads.run(self._uploads.create, key, content_type, headers)

    async def put_part(self, key: str, upload_id: str, number: int, content: bytes) -> StoredPart:
        async with self.receiver.part(key, upload_id, number, length=len(content)) as incoming:
            await incoming.write(content)
            await incoming.flush()
            return await incoming.commit()

    async def list_parts(self, key: str, upload_id: str) -> list[StoredPart]:
        return await self.threads.run(self._uploads.list_parts, key, upload_id)

    async def complete_upload(self, key: str, upload_id: str, parts: Sequence[PartTag]) -> StoredObject:
        stored, announcement = await self.threads.run(self._assembly.complete, key, upload_id, parts)
        if announcement is not None:
            await self._announcer.try_announce(announcement)
        return stored

    async def abort_upload(self, key: str, upload_id: str) -> None:
        await self.threads.run(self._uploads.abort, key, upload_id)

    async def check_upload(self, key: str, upload_id: str) -> None:
        """Raises `NotFound` if the upload does not exist."""
        await self.threads.run(self._uploads.open, key, upload_id)

    async def find_uploads(self, prefix: str) -> AsyncIterator[OpenUpload]:
        for upload in await self.threads.run(self._uploads.find, prefix):
            yield upload

    async def revoke_urls(self, video_id: UUID) -> bool:
        with translate_os_errors(f"revoke the URLs of video {video_id}"):
            await self.threads.run(self.generations.raise_for, video_id)
        return True

    async def usable_bytes(self) -> int | None:
        with translate_os_errors("measure the free space"):
            free = await self.threads.run(self._free_space, self.layout.root)
        return max(0, free - self._minimum_free_bytes)

    async def check(self) -> None:
        await self.threads.run(check_writable, self.layout.temporary, self._minimum_free_bytes, self._free_space)
