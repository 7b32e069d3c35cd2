"""Where backups are kept: a small interface, with a directory and a bucket as backends."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from sightline.errors import ConfigurationError
from sightline.objects import ObjectsSettings


class BackupTarget(Protocol):
    """Files by name. A file is never visible half written, and is durable once `store` returns."""

    async def sizes(self, prefix: str) -> dict[str, int]:
        """The size of every file whose name starts with `prefix`."""

    def staging(self) -> AbstractAsyncContextManager[Path]:
        """A path for a new file, which is removed at the end unless it was stored."""

    async def store(self, name: str, staged: Path) -> None:
        """Moves a staged file to its name."""

    def local(self, name: str) -> AbstractAsyncContextManager[Path]:
        """The file to read inside the context. Raises `NotFound`."""

    async def delete(self, name: str) -> None: ...


@asynccontextmanager
async def open_target(address: str, objects: ObjectsSettings, *, is_new_allowed: bool) -> AsyncIterator[BackupTarget]:
    """`address` is a directory or `s3://bucket/prefix`. Endpoint, region and keys of S3 come from the settings of objects."""
    if not address.startswith("s3://"):
        from sightline.backup.directory_target import DirectoryTarget

        yield DirectoryTarget(Path(address), is_new_allowed=is_new_allowed)
        return
    parts = urlsplit(address)
    if not parts.netloc:
        raise ConfigurationError(f"{address} names no bucket; write s3://bucket or s3://bucket/prefix")
    from sightline.backup.bucket_target import BucketTarget
    from sightline.objects.s3 import open_s3_object_store

    settings = objects.model_copy(update={"backend": "s3", "bucket": parts.netloc})
    async with open_s3_object_store(settings) as store:
        yield BucketTarget(store, prefix=parts.path.strip("/"))
