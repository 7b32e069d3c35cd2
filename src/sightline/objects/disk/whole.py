"""Whole objects on the disk: stored, described, removed. Blocking; `disk_objects` calls it in threads."""

import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from sightline.contracts.storage_events import object_created
from sightline.objects.content_types import content_type_of
from sightline.objects.disk.announcements import Announcement, PendingAnnouncements
from sightline.objects.disk.files import pwrite_all
from sightline.objects.disk.layout import Layout, changed_at
from sightline.objects.disk.listing import walk
from sightline.objects.disk.metadata import Note, Notes
from sightline.objects.key_rules import check_key
from sightline.objects.refusals import no_such_key, refused, told
from sightline.objects.store import StoredObject

PIECE = 1024 * 1024
_JUST_NOW_NS = 2_000_000_000
"""A file changed so recently may change again without its time of change showing it."""


class DiskWhole:
    def __init__(
        self,
        bucket: str,
        layout: Layout,
        notes: Notes,
        pending: PendingAnnouncements,
        check_open: Callable[[], None] = lambda: None,
    ) -> None:
        self._bucket = bucket
        self._layout = layout
        self._notes = notes
        self._pending = pending
        self._check_open = check_open
        # The file's size and time of change are part of the question, so that a changed one is read anew.
        self._known_md5 = lru_cache(maxsize=4096)(lambda path, _inode, _size, _changed_ns: self._read_md5(path))

    def create(self, key: str) -> tuple[Path, int]:
        """A file for an object to come, open for writing."""
        check_key(key)
        path = self._layout.new_temporary()
        return path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)

    def put(self, key: str, content: bytes, content_type: str | None) -> StoredObject:
        with told(f"write {key}"):
            path, handle = self.create(key)
            try:
                pwrite_all(handle, content, 0)
                md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
                return self._keep(key, path, handle, Note(md5, content_type))
            finally:
                _close(handle, path)

    def put_file(self, key: str, source: Path, content_type: str | None) -> StoredObject:
        with told(f"store {source} as {key}"), source.open("rb") as file:
            path, handle = self.create(key)
            try:
                md5, offset = hashlib.md5(usedforsecurity=False), 0
                while piece := file.read(PIECE):
                    self._check_open()
                    md5.update(piece)
                    pwrite_all(handle, piece, offset)
                    offset += len(piece)
                return self._keep(key, path, handle, Note(md5.hexdigest(), content_type))
            finally:
                _close(handle, path)

    def keep_sent(
        self, key: str, path: Path, handle: int, md5: str, content_type: str | None
    ) -> tuple[StoredObject, Announcement]:
        """An object that a client sent, with the announcement that is still to be told."""
        with told(f"write {key}"):
            try:
                size = os.fstat(handle).st_size
                created = object_created(self._bucket, key, size=size, etag=md5, reason="PutObject")
                announcement = self._pending.add(secrets.token_hex(16), created)
                return self._keep(key, path, handle, Note(md5, content_type), announcement), announcement
            finally:
                _close(handle, path)

    def drop_sent(self, path: Path, handle: int) -> None:
        _close(handle, path)

    def describe(self, key: str) -> StoredObject | None:
        with told(f"look at {key}"):
            found = self._layout.find(key)
            return None if found is None else self._describe(key, *found)

    def open(self, key: str) -> tuple[StoredObject, int]:
        """What it is, and its bytes; both of the same moment, even if it is replaced meanwhile."""
        with told(f"read {key}"):
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
        """Whether it was there."""
        with told(f"delete {key}"):
            found = self._layout.find(key)
            if found is None:
                return False
            self._notes.forget(key, found[1])
            return self._layout.remove(found[0])

    def delete_prefix(self, prefix: str) -> int:
        if not prefix:
            raise refused("InvalidArgument", "an empty prefix would delete everything")
        with told(f"delete what begins with {prefix}"):
            return sum(self.delete(found.key) for found in walk(self._layout.root, prefix))

    def _keep(
        self, key: str, path: Path, handle: int, note: Note, announcement: Announcement | None = None
    ) -> StoredObject:
        self._notes.write(handle, key, note)
        os.fsync(handle)
        facts = os.fstat(handle)
        replaced = self._layout.find(key)
        self._pending.unless_refused(announcement, lambda: self._layout.publish(path, key))
        if replaced is not None:
            self._notes.forget(key, replaced[1])
        return _stored(key, facts, note)

    def _describe(self, key: str, path: Path, facts: os.stat_result) -> StoredObject:
        note = self._notes.read(path, key, facts)
        if note is None:
            # Put there by hand: seen for the first time since it was last changed.
            if time.time_ns() - facts.st_mtime_ns < _JUST_NOW_NS:
                return _stored(key, facts, Note(self._read_md5(path)))
            note = Note(self._known_md5(path, facts.st_ino, facts.st_size, facts.st_mtime_ns))
            self._write_down(path, key, facts, note)
        return _stored(key, facts, note)

    def _write_down(self, path: Path, key: str, facts: os.stat_result, note: Note) -> None:
        """Spares the next process the reading, if the file may be written to and is still the same."""
        try:
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            return
        try:
            now = os.fstat(handle)
            if (now.st_ino, now.st_size, now.st_mtime_ns) == (facts.st_ino, facts.st_size, facts.st_mtime_ns):
                self._notes.write(handle, key, note)
        except OSError:
            return
        finally:
            os.close(handle)

    def _read_md5(self, path: Path) -> str:
        md5 = hashlib.md5(usedforsecurity=False)
        with path.open("rb", buffering=0) as file:
            while piece := file.read(PIECE):
                self._check_open()
                md5.update(piece)
        return md5.hexdigest()


def _close(handle: int, path: Path) -> None:
    os.close(handle)
    path.unlink(missing_ok=True)


def _stored(key: str, facts: os.stat_result, note: Note) -> StoredObject:
    return StoredObject(key, facts.st_size, note.etag, changed_at(facts), note.content_type or content_type_of(key))
