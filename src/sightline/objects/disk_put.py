"""Writing one object below a directory: whole or not at all, and never outside."""

import os
import tempfile
from pathlib import Path, PurePosixPath

from sightline.errors import BackendUnavailable, InvalidInput


def path_of(directory: Path, key: str) -> Path:
    """Where an object lies. A key that could lead out of the directory is refused."""
    parts = PurePosixPath(key).parts
    if (
        not parts
        or key.startswith("/")
        or key.endswith("/")
        or "\0" in key
        or any(part in (".", "..") for part in parts)
    ):
        raise InvalidInput(f"{key!r} is not a key that can be stored")
    return directory.joinpath(*parts)


def put_object(directory: Path, key: str, content: bytes) -> Path:
    """Readers see the old or the new, never half of it; on the disk when this returns."""
    path = path_of(directory, key)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".part-", delete=False) as part:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
        os.replace(part.name, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise BackendUnavailable("objects", f"cannot write {key}: {error.strerror or error}") from error
    return path
