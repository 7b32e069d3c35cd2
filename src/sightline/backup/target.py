"""Where backups are kept: a small interface, with a directory and a bucket as backends."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from sightline.errors import ConfigurationError, PlatformError
from sightline.objects import ObjectsSettings


class BackupTarget(Protocol):
    """Files by name. A file is never visible half written, and is durable once `store` returns."""

    def written(self) -> AbstractContextManager[None]:
        """Around the writing of a backup; refuses a second one at the same time where that can be seen."""

    async def free_bytes(self) -> int | None:
        """None: unknown, or as much as you pay for."""

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
        try:
            await store.check()
        except PlatformError as error:
            raise ConfigurationError(
                f"cannot use {address}: {error.message}; check SIGHTLINE_OBJECTS_S3_ENDPOINT and its access keys"
            ) from error
        yield BucketTarget(store, prefix=parts.path.strip("/"))


def check_apart(address: str, objects: ObjectsSettings, state_directory: Path) -> None:
    """Refuses to mix backups with what is backed up: each would contain the ones before."""
    if address.startswith("s3://"):
        bucket = urlsplit(address).netloc
        if objects.backend == "s3" and objects.bucket == bucket:
            raise ConfigurationError(f"the bucket {bucket} holds the objects themselves; choose another bucket")
        return
    target = Path(address).resolve()
    sources = [state_directory.resolve()]
    if objects.backend == "disk" and objects.directory is not None:
        sources.append(objects.directory.resolve())
    for source in sources:
        if target == source or source in target.parents:
            raise ConfigurationError(f"{address} lies in {source}, which is backed up; choose a directory elsewhere")
