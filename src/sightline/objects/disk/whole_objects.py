"""Whole objects on disk: stored, described, deleted. Blocking; `DiskObjectStore` calls it in threads."""

import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from sightline.contracts.storage_events import Reason, object_created
from sightline.objects.content_types import content_type_of
from sightline.objects.disk.announcements import Announcement, PendingAnnouncements
from sightline.objects.disk.files import copy_range, pwrite_all
from sightline.objects.disk.layout import DiskLayout, changed_at
from sightline.objects.disk.listing import walk
from sightline.objects.disk.metadata import MetadataStore, ObjectMetadata
from sightline.objects.errors import invalid_request, no_such_key, translate_os_errors
from sightline.objects.key_rules import check_key
from sightline.objects.store import StoredObject

READ_BYTES = 1024 * 1024
_RECENT_NS = 2_000_000_000
"""A file changed so recently may change again without a change of its modification time."""


class DiskWholeObjects:
    def __init__(
        self,
        bucket: str,
        layout: DiskLayout,
        metadata: MetadataStore,
        pending: PendingAnnouncements,
        check_open: Callable[[], None] = lambda: None,
    ) -> None:
        self._bucket = bucket
        self._layout = layout
        self._metadata = metadata
        self._pending = pending
        self._check_open = check_open
        # Size and modification time are part of the cache key, so that a changed file is read again.
        self._known_md5 = lru_cache(maxsize=4096)(lambda path, _inode, _size, _changed_ns: self._read_md5(path))

    def create(self, key: str) -> tuple[Path, int]:
        """A temporary file for a new object, open for writing."""
        check_key(key)
        path = self._layout.new_temporary()
        return path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)

    def put(self, key: str, content: bytes, content_type: str | None) -> StoredObject:
        with translate_os_errors(f"write {key}"):
            path, handle = self.create(key)
            try:
                pwrite_all(handle, content, 0)
                md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
                return self._commit(key, path, handle, ObjectMetadata(md5, content_type))
            finally:
                _close(handle, path)

    def put_file(self, key: str, source: Path, content_type: str | None, etag: str | None = None) -> StoredObject:
        with translate_os_errors(f"store {source} as {key}"), source.open("rb") as file:
            path, handle = self.create(key)
            try:
                md5, offset = hashlib.md5(usedforsecurity=False), 0
                while chunk := file.read(READ_BYTES):
                    self._check_open()
                    md5.update(chunk)
                    pwrite_all(handle, chunk, offset)
                    offset += len(chunk)
                return self._commit(key, path, handle, ObjectMetadata(etag or md5.hexdigest(), content_type))
            finally:
                _close(handle, path)

    def commit_sent(
        self, key: str, path: Path, handle: int, metadata: ObjectMetadata, reason: Reason = "PutObject"
    ) -> tuple[StoredObject, Announcement]:
        """Stores an object that a client sent; returns it with the announcement that is still to be sent."""
        with translate_os_errors(f"write {key}"):
            try:
                size = os.fstat(handle).st_size
                created = object_created(self._bucket, key, size=size, etag=metadata.etag, reason=reason)
                announcement = self._pending.add(secrets.token_hex(16), created)
                return self._commit(key, path, handle, metadata, announcement), announcement
            finally:
                _close(handle, path)

    def copy_sent(
        self, source: int, stored: StoredObject, key: str, metadata: ObjectMetadata
    ) -> tuple[StoredObject, Announcement]:
        """As `commit_sent`, with the bytes of an open object."""
        with translate_os_errors(f"copy {stored.key} to {key}"):
            path, handle = self.create(key)
            try:
                copy_range(source, handle, count=stored.size, at=0, to=0, check=self._check_open)
            except BaseException:
                _close(handle, path)
                raise
        return self.commit_sent(key, path, handle, metadata, "CopyObject")

    def discard_sent(self, path: Path, handle: int) -> None:
        _close(handle, path)

    def describe(self, key: str) -> StoredObject | None:
        with translate_os_errors(f"describe {key}"):
            found = self._layout.find(key)
            return None if found is None else self._describe(key, *found)

    def open(self, key: str) -> tuple[StoredObject, int]:
        """The object and a handle to its bytes, both of the same version even if it is replaced in the meantime."""
        with translate_os_errors(f"read {key}"):
            while (found := self._layout.find(key)) is not None:
                path, facts = found
                try:
                    stored, handle = self._describe(key, path, facts), os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
                except FileNotFoundError:
                    continue
                now = os.fstat(handle)
                if (now.st_ino, now.st_size, now.st_mtime_ns) == (facts.st_ino, facts.st_size, facts.st_mtime_ns):
                    return stored, handle
                os.close(handle)
        raise no_such_key(key)

    def find(self, prefix: str, *, after: bytes = b"") -> Iterator[StoredObject]:
        for found in walk(self._layout.root, prefix, after=after):
            try:
                yield self._describe(found.key, found.path, found.stat)
            except FileNotFoundError:
                continue

    def delete(self, key: str) -> bool:
        """Whether the object existed."""
        with translate_os_errors(f"delete {key}"):
            found = self._layout.find(key)
            if found is None:
                return False
            self._metadata.forget(key, found[1])
            return self._layout.remove(found[0])

    def delete_prefix(self, prefix: str) -> int:
        if not prefix:
            raise invalid_request("InvalidArgument", "an empty prefix would delete everything; name a prefix")
        with translate_os_errors(f"delete objects with the prefix {prefix}"):
            return sum(self.delete(found.key) for found in walk(self._layout.root, prefix))

    def _commit(
        self, key: str, path: Path, handle: int, metadata: ObjectMetadata, announcement: Announcement | None = None
    ) -> StoredObject:
        self._metadata.write(handle, key, metadata)
        os.fsync(handle)
        facts = os.fstat(handle)
        replaced = self._layout.find(key)
        self._pending.drop_on_conflict(announcement, lambda: self._layout.publish(path, key))
        if replaced is not None:
            self._metadata.forget(key, replaced[1])
        return _stored(key, facts, metadata)

    def _describe(self, key: str, path: Path, facts: os.stat_result) -> StoredObject:
        metadata = self._metadata.read(path, key, facts)
        if metadata is None:
            # Put there by hand, and described for the first time since its last change.
            if time.time_ns() - facts.st_mtime_ns < _RECENT_NS:
                return _stored(key, facts, ObjectMetadata(self._read_md5(path)))
            metadata = ObjectMetadata(self._known_md5(path, facts.st_ino, facts.st_size, facts.st_mtime_ns))
            self._save_metadata(path, key, facts, metadata)
        return _stored(key, facts, metadata)

    def _save_metadata(self, path: Path, key: str, facts: os.stat_result, metadata: ObjectMetadata) -> None:
        """Saves the next process from reading the file, if the file is writable and unchanged."""
        try:
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            return
        try:
            now = os.fstat(handle)
            if (now.st_ino, now.st_size, now.st_mtime_ns) == (facts.st_ino, facts.st_size, facts.st_mtime_ns):
                self._metadata.write(handle, key, metadata)
        except OSError:
            return
        finally:
            os.close(handle)

    def _read_md5(self, path: Path) -> str:
        md5 = hashlib.md5(usedforsecurity=False)
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(READ_BYTES):
                self._check_open()
                md5.update(chunk)
        return md5.hexdigest()


def _close(handle: int, path: Path) -> None:
    os.close(handle)
    path.unlink(missing_ok=True)


def _stored(key: str, facts: os.stat_result, metadata: ObjectMetadata) -> StoredObject:
    kind = metadata.content_type or content_type_of(key)
    return StoredObject(key, facts.st_size, metadata.etag, changed_at(facts), kind, metadata.headers)
