"""Renames that Python does not wrap, and files that are whole or not there."""

import ctypes
import errno
import os
from pathlib import Path

from sightline.linux.calls import libc

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_SUPPORTED = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EXDEV)


def exchange(one: Path, other: Path) -> bool:
    """Swaps two paths at one moment. False where the system or the file system cannot do that."""
    call = getattr(libc(), "renameat2", None)
    if call is None:
        return False
    ctypes.set_errno(0)
    if call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), ctypes.c_uint(_RENAME_EXCHANGE)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NOT_SUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(one), None, str(other))


def sync_path(path: Path) -> None:
    """Writes a file, or the names in a directory, to the disk for good."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_whole(path: Path, content: bytes | bytearray) -> None:
    """A reader sees the whole file or the one before, also after a power cut. One process writes it at a time."""
    unfinished = path.with_name(f".{path.name}.new")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.chmod(0o644)
    unfinished.replace(path)
    sync_path(path.parent)
