"""What cannot be read off an object's bytes, kept beside them: its ETag, and its type where the key does not tell.

In an extended attribute of the file where the file system has them: it is set before the file gets its name and goes where
the file goes. Elsewhere in a small file of its own. Either holds only for the size and time of change it was written for, so
that a file replaced or edited by hand is seen as it is.
"""

import errno
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sightline.objects.disk.files import make_directories, write_durably

ATTRIBUTE = "user.sightline"


@dataclass(frozen=True, slots=True)
class Note:
    etag: str
    content_type: str | None = None
    """None: what the key's ending says."""


class Notes(Protocol):
    def write(self, handle: int, key: str, note: Note) -> None:
        """Of the file that is, or will be, at the key. Nothing may be written to it afterwards."""

    def read(self, path: Path, key: str, found: os.stat_result) -> Note | None: ...

    def forget(self, key: str, found: os.stat_result) -> None:
        """The file of that size and time is no longer at the key."""


def open_notes(hidden: Path) -> Notes:
    """The better of the two that the file system can do."""
    with tempfile.TemporaryFile(dir=hidden) as probe:
        try:
            os.setxattr(probe.fileno(), ATTRIBUTE, b"probe")
        except OSError as error:
            if error.errno not in (errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.ENOSYS):
                raise
            return FileNotes(hidden / "notes")
    return AttributeNotes()


class AttributeNotes:
    def write(self, handle: int, key: str, note: Note) -> None:
        os.setxattr(handle, ATTRIBUTE, _pack(note, os.fstat(handle)))

    def read(self, path: Path, key: str, found: os.stat_result) -> Note | None:
        try:
            content = os.getxattr(path, ATTRIBUTE, follow_symlinks=False)
        except OSError:
            return None
        return _unpack(content, found)

    def forget(self, key: str, found: os.stat_result) -> None:
        """It went with the file."""


class FileNotes:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        make_directories(directory)

    def write(self, handle: int, key: str, note: Note) -> None:
        found = os.fstat(handle)
        # Set outright, because a file server may have written its own time over the one seen here.
        os.utime(handle, ns=(found.st_mtime_ns, found.st_mtime_ns))
        found = os.fstat(handle)
        # Under a name of its own for each version: the old one's note stays good until the new one takes its place.
        path = self._path(key, found)
        make_directories(path.parent)
        write_durably(path, _pack(note, found))

    def read(self, path: Path, key: str, found: os.stat_result) -> Note | None:
        try:
            content = self._path(key, found).read_bytes()
        except OSError:
            return None
        return _unpack(content, found)

    def forget(self, key: str, found: os.stat_result) -> None:
        self._path(key, found).unlink(missing_ok=True)

    def _path(self, key: str, found: os.stat_result) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self._directory / name[:2] / f"{name[2:34]}-{found.st_size}-{found.st_mtime_ns}"


def _pack(note: Note, found: os.stat_result) -> bytes:
    return json.dumps([note.etag, found.st_size, found.st_mtime_ns, note.content_type], separators=(",", ":")).encode()


def _unpack(content: bytes, found: os.stat_result) -> Note | None:
    try:
        etag, size, changed, content_type = json.loads(content)
    except ValueError:
        return None
    if (size, changed) != (found.st_size, found.st_mtime_ns):
        return None
    return Note(etag, content_type)
