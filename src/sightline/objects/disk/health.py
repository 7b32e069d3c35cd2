"""Whether the disk keeper can do its work: its directory takes a file, and there is room left."""

import os
import shutil
import tempfile
from pathlib import Path

from sightline.errors import BackendUnavailable
from sightline.objects.refusals import StorageFull


def write_and_measure(directory: Path, minimum_free_bytes: int) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=directory, prefix="health-") as probe:
            probe.write(b"well")
            probe.flush()
            os.fsync(probe.fileno())
        free = shutil.disk_usage(directory).free
    except OSError as error:
        raise BackendUnavailable("objects", f"cannot write below {directory}: {error.strerror or error}") from error
    if free < minimum_free_bytes:
        raise BackendUnavailable("objects", f"only {free} bytes are free below {directory}")


def check_room(directory: Path, length: int, minimum_free_bytes: int) -> None:
    """Refuses bytes that would fill the disk, before they are sent: a database may live on it too."""
    free = shutil.disk_usage(directory).free
    if free - length < minimum_free_bytes:
        raise StorageFull(
            f"no room for {length} bytes: {free} are free below {directory}, of which {minimum_free_bytes} are to stay free"
        )
