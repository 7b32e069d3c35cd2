"""Scratch directories for running jobs: private, and removed when the job ends, also after kill -9."""

import asyncio
import fcntl
import os
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sightline.errors import BackendUnavailable

RESERVE_BYTES = 256 * 1024 * 1024
"""Disk space that is left free for everything else."""

MAX_CREATION_S = 60.0
"""Longest time that creating and locking a directory takes."""


class Scratch:
    """Private directories below `base`, which processes may share.

    Each process has a directory of its own there and holds a lock on it while it runs. A process that starts removes
    directories whose lock is free.
    """

    def __init__(self, base: Path, *, reserve_bytes: int = RESERVE_BYTES) -> None:
        self._base = base
        self._reserve_bytes = reserve_bytes
        self._opening = threading.Lock()
        self._own: Path | None = None
        self._held: int | None = None

    @asynccontextmanager
    async def directory(self, *, needs_bytes: int = 0) -> AsyncIterator[Path]:
        """A private directory; raises `BackendUnavailable` when the disk has not enough free space."""
        path = await asyncio.to_thread(self._make, needs_bytes)
        try:
            yield path
        finally:
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, path, ignore_errors=True))

    def _make(self, needs_bytes: int) -> Path:
        with self._opening:
            if self._own is None or not self._own.is_dir():
                self._own = self._open()
        free = shutil.disk_usage(self._own).free
        if free < needs_bytes + self._reserve_bytes:
            raise BackendUnavailable(
                "disk",
                f"{self._base} has {free} bytes free; the job needs {needs_bytes} and a reserve of {self._reserve_bytes}",
            )
        return Path(tempfile.mkdtemp(dir=self._own))

    def _open(self) -> Path:
        self._base.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._sweep()
        own = self._base / f"{os.getpid()}-{secrets.token_hex(4)}"
        # Hidden until the lock is held, because other processes remove directories without a lock.
        hidden = self._base / f".{own.name}"
        hidden.mkdir(mode=0o700)
        if self._held is not None:
            os.close(self._held)
        self._held = os.open(hidden, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return hidden.rename(own)

    def _sweep(self) -> None:
        """Removes directories of processes that have ended."""
        for path in self._base.iterdir():
            with suppress(OSError):
                is_being_made = path.name.startswith(".") and path.stat().st_mtime > time.time() - MAX_CREATION_S
                if is_being_made or not path.is_dir():
                    continue
                held = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
                finally:
                    os.close(held)
