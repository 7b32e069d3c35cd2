"""What a store answers when it does not do what was asked: branches of our error tree that carry S3's name for it."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from sightline.errors import BackendUnavailable, Conflict, InvalidInput, NotFound

NO_SUCH_KEY = "NO_SUCH_KEY"
NO_SUCH_UPLOAD = "NO_SUCH_UPLOAD"

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class StorageFull(BackendUnavailable):
    """There is no room for these bytes; what was stored before stays."""

    def __init__(self, message: str) -> None:
        super().__init__("objects", message)
        self.details["code"] = "InsufficientStorage"


def no_such_key(key: str) -> NotFound:
    return NotFound(f"no object at {key}", code=NO_SUCH_KEY, details={"code": "NoSuchKey"})


def no_such_upload(key: str, upload_id: str) -> NotFound:
    return NotFound(
        f"no upload {upload_id[:200]} of {key}; it may have been completed or aborted",
        code=NO_SUCH_UPLOAD,
        details={"code": "NoSuchUpload"},
    )


def refused(code: str, message: str, **details: object) -> InvalidInput:
    """A request that cannot be; `code` is S3's word for it."""
    return InvalidInput(message, details={"code": code, **details})


def conflict(code: str, message: str, **details: object) -> Conflict:
    """A completion that the store refuses; `code` is S3's word for it."""
    return Conflict(message, details={"code": code, **details})


@contextmanager
def told(doing: str) -> Iterator[None]:
    """Inside, errors of the operating system become ours. `doing` is what was tried: `write a/b.mp4`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _FULL:
            raise StorageFull(f"cannot {doing}: {reason.lower()}") from error
        raise BackendUnavailable("objects", f"cannot {doing}: {reason.lower()}") from error
