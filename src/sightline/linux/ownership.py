"""Ownership of files, changed without ever following a link that somebody else may have put there."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from sightline.linux.identity import ProcessIds


def give_tree(top: str | Path, ids: ProcessIds) -> None:
    """Gives a directory and all that it holds to these ids. A file with a second name elsewhere is left alone."""
    for _, directories, files, handle in os.fwalk(top, follow_symlinks=False):
        os.fchown(handle, ids.uid, ids.gid)
        for name in (*directories, *files):
            if name in directories or os.stat(name, dir_fd=handle, follow_symlinks=False).st_nlink == 1:
                os.chown(name, ids.uid, ids.gid, dir_fd=handle, follow_symlinks=False)


def private_directory(path: Path, ids: ProcessIds) -> None:
    """Makes a directory that only these ids may enter, or takes one that is there over if it belongs to them or to us.

    Raises `PermissionError` if it belongs to somebody else or is a link, as in a directory that all may write to.
    """
    with suppress(FileExistsError):
        path.mkdir(mode=0o700, parents=True)
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise PermissionError(error.errno, f"{path} is not a directory of this user") from error
    try:
        if os.fstat(handle).st_uid not in (ids.uid, os.geteuid()):
            raise PermissionError(f"{path} belongs to another user")
        _set(handle, ids, 0o700)
    finally:
        os.close(handle)


def take_over(path: Path, ids: ProcessIds, mode: int) -> None:
    """Gives a file or a directory of a directory that is ours to these ids. Raises `OSError` for a link."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _set(handle, ids, mode)
    finally:
        os.close(handle)


def _set(handle: int, ids: ProcessIds, mode: int) -> None:
    found = os.fstat(handle)
    if (found.st_uid, found.st_gid) != (ids.uid, ids.gid):
        os.fchown(handle, ids.uid, ids.gid)
    if stat.S_IMODE(found.st_mode) != mode:
        os.fchmod(handle, mode)
