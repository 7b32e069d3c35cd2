"""File system operations of the disk backend: durable writes, locks, and copies inside the kernel."""

import errno
import fcntl
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_MAX_COPY_BYTES = 64 * 1024 * 1024
_MAX_BUFFERS = 1024  # the limit of Linux for one call
_COPY_UNSUPPORTED = frozenset(
    {errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.ETXTBSY, errno.EBADF}
)


def sync_directory(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_directories(path: Path) -> None:
    """As `mkdir -p`; new directories are durable when this returns."""
    if path.is_dir():
        return
    make_directories(path.parent)
    try:
        path.mkdir(mode=0o755)
    except FileExistsError:
        return
    sync_directory(path.parent)


def write_durably(path: Path, content: bytes) -> None:
    """Replaces a small file atomically; durable when this returns."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def pwrite_all(handle: int, content: bytes, offset: int) -> None:
    view = memoryview(content)
    while view:
        written = os.pwrite(handle, view, offset)
        view, offset = view[written:], offset + written


def pwritev_all(handle: int, buffers: Sequence[bytes], offset: int) -> int:
    """Writes all buffers in sequence; returns the number of bytes."""
    size = sum(map(len, buffers))
    written = os.pwritev(handle, buffers, offset) if len(buffers) <= _MAX_BUFFERS else 0
    if written < size:  # too many buffers for one call, or a disk that is almost full
        pwrite_all(handle, b"".join(buffers)[written:], offset + written)
    return size


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """Holds a lock on an existing file. The kernel releases it when the process ends, however it ends."""
    handle = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def try_lock(handle: int, *, exclusive: bool) -> bool:
    """Locks the file until the handle is closed, without waiting; False if another process holds it."""
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_at(path: Path, handle: int) -> bool:
    """Whether the open file is still the one at the path."""
    try:
        return os.path.samestat(os.stat(path, follow_symlinks=False), os.fstat(handle))
    except FileNotFoundError:
        return False


def copy_range(
    source: int, target: int, *, count: int, at: int, to: int, check: Callable[[], None] = lambda: None
) -> None:
    """`count` bytes from `at` in one open file to `to` in another, inside the kernel; holes stay holes.

    File systems that can share blocks do so instead of copying. `check` is called before each step, and may raise.
    """
    if os.fstat(source).st_size < at + count:
        raise OSError(errno.EIO, f"a stored part is too short: {at + count} bytes were expected")
    end = at + count
    shift = to - at
    for start, stop in _data_ranges(source, at, end):
        done = start
        while done < stop:
            check()
            done += _copy_chunk(source, target, done, min(stop - done, _MAX_COPY_BYTES), shift)
    if os.fstat(target).st_size < to + count:
        os.ftruncate(target, to + count)


def _data_ranges(handle: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges between `start` and `end` that hold data."""
    while start < end:
        try:
            data_start = os.lseek(handle, start, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return
            yield start, end  # the file system does not report holes
            return
        if data_start >= end:
            return
        stop = min(os.lseek(handle, data_start, os.SEEK_HOLE), end)
        yield data_start, stop
        start = stop


def _copy_chunk(source: int, target: int, start: int, count: int, shift: int) -> int:
    try:
        done = os.copy_file_range(source, target, count, start, start + shift)
    except OSError as error:
        if error.errno not in _COPY_UNSUPPORTED:
            raise
        os.lseek(target, start + shift, os.SEEK_SET)
        done = os.sendfile(target, source, start, count)
    if done == 0:
        raise OSError(errno.EIO, "a stored part ended too early")
    return done
