"""Builds the keeper of stored bytes that settings ask for."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from prometheus_client import CollectorRegistry

from sightline.objects.disk.announcements import Announce
from sightline.objects.disk.signing_key import signing_key
from sightline.objects.disk.store import DiskObjects
from sightline.objects.settings import ObjectsSettings
from sightline.objects.store import Objects


class Upkeep(Protocol):
    """A service that the keeper needs running, in one process at least."""

    @property
    def name(self) -> str: ...

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None: ...


@dataclass(frozen=True, slots=True)
class OpenObjects:
    objects: Objects
    disk: DiskObjects | None = None
    """The same keeper, where it is ours to serve its addresses."""
    upkeep: tuple[Upkeep, ...] = ()


@asynccontextmanager
async def open_objects(
    settings: ObjectsSettings,
    *,
    state_directory: Path,
    public_url: str,
    announce: Announce,
    registry: CollectorRegistry | None = None,
) -> AsyncIterator[OpenObjects]:
    """`public_url` is where clients reach this application; `announce` tells of objects that clients stored on the disk."""
    match settings.keeper:
        case "disk":
            disk = await asyncio.to_thread(_open_disk, settings, state_directory, public_url, announce)
            try:
                yield OpenObjects(disk, disk, disk.upkeep(registry))
            finally:
                disk.close()
        case "s3":
            # Imported here, so that an installation without AWS needs no boto.
            from sightline.objects.s3.store import open_s3_objects

            async with open_s3_objects(settings) as objects:
                yield OpenObjects(objects)


def _open_disk(settings: ObjectsSettings, state_directory: Path, public_url: str, announce: Announce) -> DiskObjects:
    return DiskObjects(
        settings.directory or state_directory / "objects",
        settings.bucket,
        key=signing_key(settings.signing_key_id, settings.signing_secret, state_directory),
        public_url=public_url,
        announce=announce,
        minimum_free_bytes=settings.minimum_free_bytes,
    )
