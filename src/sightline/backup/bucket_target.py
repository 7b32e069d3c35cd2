"""Backups in a bucket of S3, or of anything that speaks its protocol."""

import secrets
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from sightline.backup.files import disk_errors
from sightline.errors import NotFound
from sightline.objects import ObjectStore


class BucketTarget:
    def __init__(self, store: ObjectStore, *, prefix: str) -> None:
        self._store = store
        self._prefix = f"{prefix}/" if prefix else ""

    @contextmanager
    def written(self) -> Iterator[None]:
        yield

    async def free_bytes(self) -> int | None:
        return None

    async def sizes(self, prefix: str) -> dict[str, int]:
        cut = len(self._prefix)
        return {stored.key[cut:]: stored.size async for stored in self._store.find(self._prefix + prefix)}

    @asynccontextmanager
    async def staging(self) -> AsyncIterator[Path]:
        with (
            disk_errors(Path(tempfile.gettempdir())),
            tempfile.TemporaryDirectory(prefix="sightline-backup-") as directory,
        ):
            yield Path(directory) / secrets.token_hex(12)

    async def store(self, name: str, staged: Path) -> None:
        await self._store.put_file(self._prefix + name, staged, content_type="application/octet-stream")

    @asynccontextmanager
    async def local(self, name: str) -> AsyncIterator[Path]:
        if await self._store.head(self._prefix + name) is None:
            raise NotFound(f"no file {name} in the backup")
        async with self._store.local(self._prefix + name) as path:
            yield path

    async def delete(self, name: str) -> None:
        await self._store.delete([self._prefix + name])
