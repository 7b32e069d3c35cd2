"""Errors of the object store: branches of the error tree that carry the error code of S3."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from sightline.byte_sizes import bytes_text
from sightline.errors import BackendUnavailable, Conflict, InvalidInput, NotFound

NO_SUCH_KEY = "NO_SUCH_KEY"
NO_SUCH_UPLOAD = "NO_SUCH_UPLOAD"

_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class StorageFull(BackendUnavailable):
    """There is no room for these bytes; what was stored before is kept."""

    def __init__(self, message: str) -> None:
        super().__init__("objects", message, public=message)
        self.details["code"] = "InsufficientStorage"


def not_enough_space(needed_bytes: int, free_bytes: int) -> StorageFull:
    """The error of an upload that does not fit. `free_bytes` are those that uploads may use."""
    free = max(0, free_bytes)
    needs = f"needs {bytes_text(needed_bytes)}, " if needed_bytes else ""
    full = StorageFull(f"Not enough space: {needs}{bytes_text(free)} free")
    full.details |= {"neededBytes": needed_bytes, "freeBytes": free}
    return full


def no_such_key(key: str) -> NotFound:
    return NotFound(f"no object at {key}", code=NO_SUCH_KEY, details={"code": "NoSuchKey"})


def no_such_upload(key: str, upload_id: str) -> NotFound:
    return NotFound(
        f"no upload {upload_id[:200]} of {key}; it may have been completed or aborted",
        code=NO_SUCH_UPLOAD,
        details={"code": "NoSuchUpload"},
    )


def invalid_request(code: str, message: str, **details: object) -> InvalidInput:
    """An invalid request; `code` is the error code of S3."""
    return InvalidInput(message, details={"code": code, **details})


def conflict(code: str, message: str, **details: object) -> Conflict:
    """A request that conflicts with what is stored; `code` is the error code of S3."""
    return Conflict(message, details={"code": code, **details})


@contextmanager
def translate_os_errors(operation: str) -> Iterator[None]:
    """Translates errors of the operating system. `operation` is what was tried: `write a/b.mp4`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _DISK_FULL:
            raise StorageFull(f"cannot {operation}: {reason.lower()}") from error
        raise BackendUnavailable("objects", f"cannot {operation}: {reason.lower()}") from error
