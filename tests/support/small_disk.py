"""A separate, small file system."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(path: Path, mib: int) -> Iterator[None]:
    """A separate file system, where mounting is allowed."""
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "sightline-test", str(path)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine lets us mount nothing; the test of a limit shows the same")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)


def make_read_only(path: Path) -> None:
    """The small disk from now on."""
    subprocess.run(["mount", "-o", "remount,ro", str(path)], check=True)
