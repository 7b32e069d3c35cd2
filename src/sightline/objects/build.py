"""Opening the object store whose backend the settings name."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import CollectorRegistry

from sightline.objects.disk import Announce, DiskObjectStore, load_signing_key
from sightline.objects.settings import ObjectsSettings
from sightline.objects.store import ObjectStore
from sightline.supervisor import Service


@dataclass(frozen=True, slots=True)
class OpenObjectStore:
    store: ObjectStore
    disk: DiskObjectStore | None = None
    """The same store if it is on disk, because then this application serves its signed URLs."""
    services: tuple[Service, ...] = ()


@asynccontextmanager
async def open_object_store(
    settings: ObjectsSettings,
    *,
    state_directory: Path,
    public_url: str,
    announce: Announce,
    registry: CollectorRegistry | None = None,
) -> AsyncIterator[OpenObjectStore]:
    """`public_url` is where clients reach this application; `announce` is called for objects that clients stored on disk."""
    match settings.backend:
        case "disk":
            disk = await asyncio.to_thread(_open_disk, settings, state_directory, public_url, announce)
            try:
                yield OpenObjectStore(disk, disk, tuple(part.service() for part in disk.maintenance(registry)))
            finally:
                disk.close()
        case "s3":
            # Imported here, so that an installation without AWS needs no boto.
            from sightline.objects.s3 import open_s3_object_store

            async with open_s3_object_store(settings) as store:
                yield OpenObjectStore(store)


def _open_disk(
    settings: ObjectsSettings, state_directory: Path, public_url: str, announce: Announce
) -> DiskObjectStore:
    return DiskObjectStore(
        settings.directory or state_directory / "objects",
        settings.bucket,
        key=load_signing_key(settings.signing_key_id, settings.signing_secret, state_directory),
        public_url=public_url,
        announce=announce,
        minimum_free_bytes=settings.minimum_free_bytes,
    )
