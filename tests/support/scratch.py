"""Where a test run keeps its files: in memory if there is room, since a copied database on a disk costs ten times the CPU."""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path

import psutil

_MEMORY = Path("/dev/shm")
_NEEDED_BYTES = 3 << 30
_PREFIX = "sightline-tests-"
_DIRECTORY_VARIABLE = "SIGHTLINETEST_SCRATCH"


def make_scratch() -> Path:
    """A directory of this run's own, which programs that it starts use for temporary files too."""
    if _has_room(_MEMORY):
        _remove_abandoned(_MEMORY)
        parent = _MEMORY
    else:
        parent = Path(tempfile.gettempdir())
    made = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=parent))
    made.chmod(0o755)  # an embedded PostgreSQL that root starts runs as another user
    tempfile.tempdir = None
    os.environ["TMPDIR"] = os.environ[_DIRECTORY_VARIABLE] = str(made)
    # At the very end: multiprocessing removes a directory of its own in here as late as with priority -100.
    Finalize(None, shutil.rmtree, (made,), {"ignore_errors": True}, exitpriority=-200)
    return made


@contextmanager
def made_once(name: str) -> Iterator[tuple[Path, bool]]:
    """A path that all processes of this run share, and whether what it stands for is there. Others wait until the block ends."""
    path = Path(os.environ.get(_DIRECTORY_VARIABLE) or _own_directory()) / name
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield path, path.exists()


@cache
def _own_directory() -> str:
    """For a process that no run has started."""
    made = tempfile.mkdtemp(prefix="sightline-made-once-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _has_room(directory: Path) -> bool:
    """Memory counts twice: what lies in a file system in memory cannot be used by programs."""
    if not os.access(directory, os.W_OK):
        return False
    free = shutil.disk_usage(directory).free
    return free >= _NEEDED_BYTES and psutil.virtual_memory().available >= 2 * _NEEDED_BYTES


def _remove_abandoned(parent: Path) -> None:
    """What a killed run left behind would stay in memory until the next start of the machine."""
    for left in parent.glob(f"{_PREFIX}*"):
        pid = left.name.removeprefix(_PREFIX).split("-")[0]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
