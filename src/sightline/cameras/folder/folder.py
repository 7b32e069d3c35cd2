"""A watched folder on disk: which files it has, and opening one without ever leaving the folder.

Whoever uploads may be hostile, so links are never followed: every directory on the way is opened by its own handle.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sightline.cameras.problems import SourceProblem

MAX_DEPTH = 8
"""Cameras sort uploads by year, month, day and hour."""
MAX_DIRECTORIES = 20_000
_UNFINISHED = (".part", ".partial", ".tmp", ".temp", ".filepart", ".crdownload", "~")
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK opening a named pipe would wait for its other end.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


@dataclass(frozen=True, slots=True)
class FolderFile:
    name: str
    """The path below the folder; bytes that are no UTF-8 are escaped."""
    size_bytes: int
    modified_ns: int
    changed_ns: int = field(default=0, compare=False)
    """By the clock of this machine: programs that copy set the other one back."""


def is_unfinished(name: str) -> bool:
    """Names under which programs write a file before they rename it. Pure."""
    return name.startswith(".") or name.lower().endswith(_UNFINISHED)


class Folder:
    """All methods block; they are called in threads."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._directories: dict[str, int] = {}

    def has_changed(self) -> bool:
        """Whether a file came, went or was renamed since the last `files`; one that grows does not count."""
        if not self._directories or len(self._directories) > MAX_DIRECTORIES:
            return True
        with self._opened_root() as root:
            for name, modified_ns in self._directories.items():
                try:
                    found = os.stat(name or ".", dir_fd=root, follow_symlinks=False)
                except OSError:
                    return True
                if found.st_mtime_ns != modified_ns:
                    return True
        return False

    def files(self) -> Iterator[FolderFile]:
        """Regular files, in any order, however many there are. Raises a `SourceProblem` if the folder cannot be read."""
        self._directories = {}
        with self._opened_root() as root:
            yield from self._files_below(root, "", 0)

    @contextmanager
    def opened(self, name: str) -> Iterator[int]:
        """Raises an `OSError` for what is not a regular file of this folder."""
        *parents, last = name.split("/")
        with self._opened_root() as root:
            handles = [root]
            try:
                for parent in parents:
                    _check_part(parent)
                    handles.append(os.open(_raw(parent), _DIRECTORY, dir_fd=handles[-1]))
                _check_part(last)
                handles.append(os.open(_raw(last), _FILE, dir_fd=handles[-1]))
                if not stat.S_ISREG(os.fstat(handles[-1]).st_mode):
                    raise OSError("not a regular file")
                yield handles[-1]
            finally:
                for handle in handles[1:]:
                    os.close(handle)

    def state_of(self, name: str) -> FolderFile | None:
        """As it is now; None if it is gone."""
        try:
            with self.opened(name) as handle:
                return _file(name, os.fstat(handle))
        except OSError:
            return None

    def remove(self, file: FolderFile) -> bool:
        """Unless it changed since. Whether it is gone."""
        found = self.state_of(file.name)
        if found is None:
            return True
        if found != file:
            return False
        directory, _, last = file.name.rpartition("/")
        with self._opened_root() as root:
            handle = _open_directory(root, directory)
            try:
                os.unlink(_raw(last), dir_fd=handle)
            finally:
                os.close(handle)
        return True

    @contextmanager
    def _opened_root(self) -> Iterator[int]:
        try:
            root = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            raise SourceProblem("folder_missing") from None
        try:
            yield root
        finally:
            os.close(root)

    def _files_below(self, directory: int, prefix: str, depth: int) -> Iterator[FolderFile]:
        # Before it is read, so that a file that comes in the meantime is noticed the next time.
        self._directories[prefix.rstrip("/")] = os.fstat(directory).st_mtime_ns
        with os.scandir(directory) as entries:
            for entry in entries:
                name = prefix + _shown(entry.name)
                if is_unfinished(entry.name):
                    continue
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if depth < MAX_DEPTH:
                            below = os.open(entry.name, _DIRECTORY, dir_fd=directory)
                            try:
                                yield from self._files_below(below, f"{name}/", depth + 1)
                            finally:
                                os.close(below)
                    elif entry.is_file(follow_symlinks=False):
                        yield _file(name, entry.stat(follow_symlinks=False))
                except OSError:
                    continue  # removed in the meantime, or not ours to read


def _open_directory(root: int, path: str) -> int:
    handle = os.dup(root)
    for part in path.split("/") if path else ():
        _check_part(part)
        try:
            below = os.open(_raw(part), _DIRECTORY, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle


def _check_part(part: str) -> None:
    if part in ("", ".", ".."):
        raise OSError("not a name of a file")


def _file(name: str, found: os.stat_result) -> FolderFile:
    return FolderFile(name, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _shown(name: str) -> str:
    """Names are bytes; those that are no text are stored and shown escaped, and lead back to the same bytes."""
    return os.fsencode(name).decode("utf-8", "surrogateescape").encode("utf-8", "backslashreplace").decode()


def _raw(name: str) -> bytes:
    if "\\udc" not in name:
        return name.encode()
    parts = name.split("\\udc")
    return parts[0].encode() + b"".join(bytes([int(part[:2], 16)]) + part[2:].encode() for part in parts[1:])
