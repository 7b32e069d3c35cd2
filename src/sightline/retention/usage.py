"""Use of storage: the object store is listed from time to time, and its bytes are added up by kind and by video."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import structlog
from prometheus_client import CollectorRegistry, Gauge

from sightline.db import Database, Transaction
from sightline.objects import (
    OBJECT_KINDS,
    ObjectStore,
    kind_of_key,
    video_id_of_key,
    video_id_of_original,
    video_prefixes,
)
from sightline.retention import usage_store as store
from sightline.supervisor import Every

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class KindUsage:
    bytes: int = 0
    objects: int = 0


@dataclass(frozen=True, slots=True)
class StorageUsage:
    """As it was measured last; None if it never was."""

    kinds: dict[str, KindUsage]
    measured_at: datetime | None


@dataclass(frozen=True, slots=True)
class Measured:
    kinds: dict[str, KindUsage] = field(default_factory=lambda: {kind: KindUsage() for kind in OBJECT_KINDS})
    by_video: dict[UUID, int] = field(default_factory=lambda: defaultdict(int))
    originals: dict[UUID, int] = field(default_factory=lambda: defaultdict(int))
    """By video, as `by_video`, which has them as well."""


@dataclass(frozen=True, slots=True)
class StoredOfVideo:
    originals_bytes: int
    derived_bytes: int


async def measure(objects: ObjectStore, prefix: str = "") -> Measured:
    """Lists all objects with this key prefix."""
    found = Measured()
    async for stored in objects.find(prefix):
        kind = found.kinds[kind_of_key(stored.key)]
        kind.bytes += stored.size
        kind.objects += 1
        if (video_id := video_id_of_key(stored.key)) is not None:
            found.by_video[video_id] += stored.size
            if video_id_of_original(stored.key) is not None:
                found.originals[video_id] += stored.size
    return found


async def measure_video(objects: ObjectStore, video_id: UUID) -> StoredOfVideo:
    """Lists what is stored of one video."""
    found = await asyncio.gather(*(measure(objects, prefix) for prefix in video_prefixes(video_id)))
    originals = sum(one.originals[video_id] for one in found)
    return StoredOfVideo(originals, sum(one.by_video[video_id] for one in found) - originals)


async def move_stored(tx: Transaction, from_owner: UUID, to_owner: UUID, stored: StoredOfVideo) -> None:
    """Of a video that gets another owner, in what was measured last of both."""
    await store.move_stored(
        tx, from_owner, to_owner, originals_bytes=stored.originals_bytes, derived_bytes=stored.derived_bytes
    )


class StorageMeter:
    """Measures the use of storage and stores the figures for all processes."""

    def __init__(
        self, database: Database, objects: ObjectStore, *, every_s: float, registry: CollectorRegistry | None = None
    ) -> None:
        self._database = database
        self._objects = objects
        self._every_s = every_s
        self._bytes = Gauge("sightline_storage_bytes", "Stored bytes, by kind.", ["kind"], registry=registry)
        self._registry = registry
        self._usable: Gauge | None = None

    def service(self) -> Every | None:
        """None when measuring is turned off."""
        return Every("storage-meter", self._every_s, self.measure) if self._every_s else None

    async def measure(self) -> None:
        measured = await measure(self._objects)
        kinds = measured.kinds
        async with self._database.transaction() as tx:
            await store.save_usage(tx, {kind: (one.bytes, one.objects) for kind, one in kinds.items()})
            await store.save_owner_usage(tx, measured.by_video, measured.originals)
            database_bytes = await store.database_bytes(tx)
        for kind, one in kinds.items():
            self._bytes.labels(kind).set(one.bytes)
        self._bytes.labels("database").set(database_bytes)
        if (usable := await self._objects.usable_bytes()) is not None:
            self._usable_gauge().set(usable)
        log.info("storage.measured", bytes=sum(one.bytes for one in kinds.values()))

    def _usable_gauge(self) -> Gauge:
        """Made when it is first needed: on S3 there is no such figure, and 0 would raise alarms."""
        self._usable = self._usable or Gauge(
            "sightline_storage_usable_bytes",
            "Free bytes of the disk backend, without the reserve that stays free.",
            registry=self._registry,
        )
        return self._usable

    async def read(self, tx: Transaction) -> StorageUsage:
        """The stored figures; those of the database are of this moment."""
        rows = await store.load_usage(tx)
        measured = {row.kind: KindUsage(row.bytes, row.objects) for row in rows}
        kinds = {kind: measured[kind] for kind in OBJECT_KINDS if kind in measured}
        kinds["database"] = KindUsage(await store.database_bytes(tx), 0)
        return StorageUsage(kinds, min((row.measured_at for row in rows), default=None))
