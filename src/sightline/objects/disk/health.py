"""Health of the disk backend: its directory is writable, and enough space is free."""

import os
import shutil
import tempfile
from pathlib import Path

from sightline.errors import BackendUnavailable
from sightline.objects.errors import StorageFull


def check_writable(directory: Path, minimum_free_bytes: int) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=directory, prefix="health-") as probe:
            probe.write(b"probe")
            probe.flush()
            os.fsync(probe.fileno())
        free = shutil.disk_usage(directory).free
    except OSError as error:
        raise BackendUnavailable("objects", f"cannot write to {directory}: {error.strerror or error}") from error
    if free < minimum_free_bytes:
        raise BackendUnavailable("objects", f"only {free} bytes are free in {directory}; free some space")


def check_free_space(directory: Path, length: int, minimum_free_bytes: int) -> None:
    """Refuses bytes that would fill the disk before they are sent: a database may use the same disk."""
    free = shutil.disk_usage(directory).free
    if free - length < minimum_free_bytes:
        raise StorageFull(
            f"no room for {length} bytes: {free} are free in {directory}, and {minimum_free_bytes} must stay free"
        )
