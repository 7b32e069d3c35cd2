"""Files of a backup: checksums and copies in threads, and errors of the disk in plain words."""

import asyncio
import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sightline.backup.manifest import FileEntry
from sightline.errors import PermanentFailure

CHUNK_BYTES = 1024 * 1024
_FULL = (errno.ENOSPC, errno.EDQUOT)


async def checksum(path: Path) -> tuple[str, int]:
    """SHA-256 and size."""
    return await asyncio.to_thread(_copy, path, None)


async def copy_with_checksum(source: Path, destination: Path, *, is_replacing: bool = False) -> tuple[str, int]:
    return await asyncio.to_thread(_copy, source, destination, "wb" if is_replacing else "xb")


async def describe(name: str, path: Path) -> FileEntry:
    sha256, size = await checksum(path)
    return FileEntry(name=name, size=size, sha256=sha256)


@contextmanager
def disk_errors(directory: Path) -> Iterator[None]:
    """What the disk refuses inside is reported in one line. A file that is missing is for the caller to judge."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in _FULL:
            raise PermanentFailure(f"no space left in {directory}; free some and repeat the command") from error
        where = error.filename or directory
        raise PermanentFailure(f"cannot read or write {where}: {error.strerror or error}") from error


def _copy(source: Path, destination: Path | None, mode: Literal["wb", "xb"] = "xb") -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with source.open("rb") as reader:
        writer = None if destination is None else destination.open(mode)
        try:
            while chunk := reader.read(CHUNK_BYTES):
                digest.update(chunk)
                size += len(chunk)
                if writer is not None:
                    writer.write(chunk)
        finally:
            if writer is not None:
                writer.close()
    return digest.hexdigest(), size
