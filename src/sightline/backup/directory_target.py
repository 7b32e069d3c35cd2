"""Backups in a directory: plain files, written beside their place and renamed."""

import asyncio
import fcntl
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from sightline.backup.files import disk_errors
from sightline.errors import ConfigurationError, NotFound
from sightline.linux import sync_path

PARTIAL = ".partial"
LOCK = ".lock"


class DirectoryTarget:
    def __init__(self, directory: Path, *, is_new_allowed: bool) -> None:
        self._directory = directory.absolute()
        self._partial = self._directory / PARTIAL
        if self._directory.is_dir():
            return
        if not is_new_allowed:
            raise ConfigurationError(
                f"{directory} is no directory; name the directory that `sightline backup` wrote to"
            )
        try:
            # What is in it opens the whole platform: database, keys, everybody's videos.
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise ConfigurationError(f"cannot use {directory} for backups: {error.strerror or error}") from error

    @contextmanager
    def written(self) -> Iterator[None]:
        """One backup at a time. What a killed one was writing is removed."""
        with disk_errors(self._directory):
            lock = (self._directory / LOCK).open("a")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ConfigurationError(f"another backup into {self._directory} is running; wait for it") from None
            shutil.rmtree(self._partial, ignore_errors=True)
            yield

    async def free_bytes(self) -> int | None:
        return shutil.disk_usage(self._directory).free

    async def sizes(self, prefix: str) -> dict[str, int]:
        return await asyncio.to_thread(self._sizes, prefix)

    def _sizes(self, prefix: str) -> dict[str, int]:
        start = self._directory / prefix.rpartition("/")[0]
        found = {}
        for folder, _, names in os.walk(start):
            for name in names:
                path = Path(folder, name)
                relative = path.relative_to(self._directory).as_posix()
                if relative.startswith(prefix):
                    found[relative] = path.stat().st_size
        return found

    @asynccontextmanager
    async def staging(self) -> AsyncIterator[Path]:
        path = self._partial / secrets.token_hex(12)
        with disk_errors(self._directory):
            self._partial.mkdir(exist_ok=True, mode=0o700)
            try:
                yield path
            finally:
                path.unlink(missing_ok=True)

    async def store(self, name: str, staged: Path) -> None:
        await asyncio.to_thread(self._store, name, staged)

    def _store(self, name: str, staged: Path) -> None:
        path = self._directory / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        sync_path(staged)
        os.chmod(staged, 0o600)
        os.replace(staged, path)
        sync_path(path.parent)

    @asynccontextmanager
    async def local(self, name: str) -> AsyncIterator[Path]:
        path = self._directory / name
        if not path.is_file():
            raise NotFound(f"no file {name} in the backup")
        yield path

    async def delete(self, name: str) -> None:
        path = self._directory / name
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == self._directory or any(folder.iterdir()):
                return
            folder.rmdir()
