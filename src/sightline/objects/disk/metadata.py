"""Metadata of objects on disk: the ETag, the content type where the key does not imply it, and headers that a client stored.

Kept in an extended attribute of the file where the file system has them: it is set before the file gets its name and moves with
the file. Elsewhere in a small file of its own. Either is valid only for the size and modification time it was written for, so
that a file replaced or edited by hand is described as it is.
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
class ObjectMetadata:
    etag: str
    content_type: str | None = None
    """None: the type that the extension of the key implies."""
    headers: tuple[tuple[str, str], ...] = ()


class MetadataStore(Protocol):
    def write(self, handle: int, key: str, metadata: ObjectMetadata) -> None:
        """Describes the file that is, or will be, at the key. Nothing may be written to the file afterwards."""

    def read(self, path: Path, key: str, found: os.stat_result) -> ObjectMetadata | None: ...

    def forget(self, key: str, found: os.stat_result) -> None:
        """Call when the file of that size and time is no longer at the key."""


def open_metadata_store(hidden: Path) -> MetadataStore:
    """The better of the two that the file system supports."""
    with tempfile.TemporaryFile(dir=hidden) as probe:
        try:
            os.setxattr(probe.fileno(), ATTRIBUTE, b"probe")
        except OSError as error:
            if error.errno not in (errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.ENOSYS):
                raise
            return FileMetadata(hidden / "notes")
    return AttributeMetadata()


class AttributeMetadata:
    def write(self, handle: int, key: str, metadata: ObjectMetadata) -> None:
        os.setxattr(handle, ATTRIBUTE, _pack(metadata, os.fstat(handle)))

    def read(self, path: Path, key: str, found: os.stat_result) -> ObjectMetadata | None:
        try:
            content = os.getxattr(path, ATTRIBUTE, follow_symlinks=False)
        except OSError:
            return None
        return _unpack(content, found)

    def forget(self, key: str, found: os.stat_result) -> None:
        """The attribute is removed together with the file."""


class FileMetadata:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        make_directories(directory)

    def write(self, handle: int, key: str, metadata: ObjectMetadata) -> None:
        found = os.fstat(handle)
        # Set outright, because a file server may have written its own time over the one seen here.
        os.utime(handle, ns=(found.st_mtime_ns, found.st_mtime_ns))
        found = os.fstat(handle)
        # Under a name of its own for each version: the metadata of the old version stays valid until the new one replaces it.
        path = self._path(key, found)
        make_directories(path.parent)
        write_durably(path, _pack(metadata, found))

    def read(self, path: Path, key: str, found: os.stat_result) -> ObjectMetadata | None:
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


def _pack(metadata: ObjectMetadata, found: os.stat_result) -> bytes:
    packed = [metadata.etag, found.st_size, found.st_mtime_ns, metadata.content_type]
    if metadata.headers:
        packed.append(dict(metadata.headers))
    return json.dumps(packed, separators=(",", ":"), ensure_ascii=False).encode()


def _unpack(content: bytes, found: os.stat_result) -> ObjectMetadata | None:
    try:
        etag, size, changed, content_type, *headers = json.loads(content)
    except ValueError:
        return None
    if (size, changed) != (found.st_size, found.st_mtime_ns):
        return None
    return ObjectMetadata(etag, content_type, tuple(headers[0].items()) if headers else ())
