"""Health of the disk backend: its directory is writable, and enough space is free."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from sightline.errors import BackendUnavailable
from sightline.objects.errors import not_enough_space

FreeSpace = Callable[[Path], int]
"""How many bytes are free on the disk of a directory."""


def free_space(directory: Path) -> int:
    return shutil.disk_usage(directory).free


def check_writable(directory: Path, minimum_free_bytes: int, free_space: FreeSpace) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=directory, prefix="health-") as probe:
            probe.write(b"probe")
            probe.flush()
            os.fsync(probe.fileno())
        free = free_space(directory)
    except OSError as error:
        raise BackendUnavailable("objects", f"cannot write to {directory}: {error.strerror or error}") from error
    if free < minimum_free_bytes:
        raise BackendUnavailable("objects", f"only {free} bytes are free in {directory}; free some space")


def check_free_space(directory: Path, length: int, minimum_free_bytes: int, free_space: FreeSpace) -> None:
    """Refuses bytes that would fill the disk before they are sent: a database may use the same disk."""
    usable = free_space(directory) - minimum_free_bytes
    if usable < length:
        raise not_enough_space(length, usable)
