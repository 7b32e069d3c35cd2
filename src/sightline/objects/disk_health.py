"""Whether the disk keeper can do its work: its directory takes a file, and there is room left."""

import asyncio
import os
import shutil
import tempfile
from pathlib import Path

from sightline.errors import BackendUnavailable


async def check_disk(directory: Path, minimum_free_bytes: int) -> None:
    await asyncio.to_thread(_write_and_measure, directory, minimum_free_bytes)


def _write_and_measure(directory: Path, minimum_free_bytes: int) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=directory, prefix=".health-") as probe:
            probe.write(b"well")
            probe.flush()
            os.fsync(probe.fileno())
        free = shutil.disk_usage(directory).free
    except OSError as error:
        raise BackendUnavailable("objects", f"cannot write below {directory}: {error.strerror or error}") from error
    if free < minimum_free_bytes:
        raise BackendUnavailable("objects", f"only {free} bytes are free below {directory}")
