"""Retention: archives and removes old events, archived events, detections and their pictures, logs of jobs."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

import structlog

from sightline.contracts.jobs import Retention
from sightline.db import Database
from sightline.jobs import Job, JobContext, JobLimits
from sightline.objects import DETECTION_IMAGES_PREFIX, LOGS_PREFIX, ObjectStore
from sightline.security import retention_store as store
from sightline.security.activity import BASELINE_DAYS
from sightline.security.metrics import SecurityMetrics
from sightline.security.settings import SecuritySettings
from sightline.timing import Clock, utc_now

MAX_ROWS_PER_TRANSACTION = 500
MAX_OBJECTS_PER_DELETE = 1000
MAX_IMAGES_PER_QUERY = 10_000
# An image is stored before its detection, so a recent one may not be referenced yet.
UNREFERENCED_IMAGE_AGE = timedelta(days=1)

log = structlog.get_logger(__name__)

BatchStep = Callable[[], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Cleaned:
    """How many of each were, or in a dry run would be, moved or removed."""

    events_archived: int
    events_purged: int
    detections_removed: int
    logs_removed: int
    pictures_removed: int
    """That no detection names: left by a crash between the picture and its detection, or by a camera that was removed."""
    is_dry_run: bool


class Cleaner:
    """Works in small transactions: others do not wait for long, and after a kill the next run continues."""

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        settings: SecuritySettings,
        metrics: SecurityMetrics,
        *,
        clock: Clock = utc_now,
        at_once: int = MAX_ROWS_PER_TRANSACTION,
    ) -> None:
        self._database = database
        self._objects = objects
        self._settings = settings
        self._metrics = metrics
        self._clock = clock
        self._at_once = at_once

    async def clean(self, *, dry_run: bool = False) -> Cleaned:
        cleaned = await (self._count() if dry_run else self._clean())
        if not dry_run:
            for kind, count in asdict(cleaned).items():
                if kind != "is_dry_run":
                    self._metrics.cleaned.labels(kind).inc(count)
        log.info("security.cleaned", **asdict(cleaned))
        return cleaned

    async def _clean(self) -> Cleaned:
        archived = await self._all(self._archive_some)
        purged = await self._all(self._purge_some)
        detections = await self._all(self._remove_detections)
        async with self._database.transaction() as tx:
            await store.forget_activity(tx, days=2 * BASELINE_DAYS)
        logs, pictures = await self._logs(dry_run=False), await self._pictures(dry_run=False)
        return Cleaned(archived, purged, detections, logs, pictures, is_dry_run=False)

    async def _count(self) -> Cleaned:
        settings = self._settings
        logs, pictures = await self._logs(dry_run=True), await self._pictures(dry_run=True)
        async with self._database.transaction() as tx:
            return Cleaned(
                await store.count_to_archive(tx, days=settings.event_retention_days),
                await store.count_to_purge(tx, days=settings.archive_retention_days),
                await store.count_old_detections(
                    tx, days=settings.detection_retention_days, event_days=settings.event_retention_days
                ),
                logs,
                pictures,
                is_dry_run=True,
            )

    async def _all(self, some: BatchStep) -> int:
        total = 0
        while count := await some():
            total += count
        return total

    async def _archive_some(self) -> int:
        async with self._database.transaction() as tx:
            return await store.archive_events(tx, days=self._settings.event_retention_days, limit=self._at_once)

    async def _purge_some(self) -> int:
        async with self._database.transaction() as tx:
            return await store.purge_archive(tx, days=self._settings.archive_retention_days, limit=self._at_once)

    async def _remove_detections(self) -> int:
        """Pictures first: after a kill the rows still name what is left to remove."""
        async with self._database.transaction() as tx:
            found = await store.old_detections(tx, days=self._settings.detection_retention_days, limit=self._at_once)
        if not found:
            return 0
        await self._objects.delete([key for _, key in found if key is not None])
        async with self._database.transaction() as tx:
            return await store.delete_detections(tx, [detection_id for detection_id, _ in found])

    async def _logs(self, *, dry_run: bool) -> int:
        oldest = self._clock() - timedelta(days=self._settings.log_retention_days)
        keys = [stored.key async for stored in self._objects.find(LOGS_PREFIX) if stored.modified_at < oldest]
        return await self._remove(keys, dry_run=dry_run)

    async def _pictures(self, *, dry_run: bool) -> int:
        newest = self._clock() - UNREFERENCED_IMAGE_AGE
        removed, lot = 0, list[str]()
        async for stored in self._objects.find(DETECTION_IMAGES_PREFIX):
            if stored.modified_at < newest:
                lot.append(stored.key)
            if len(lot) >= MAX_IMAGES_PER_QUERY:
                removed += await self._remove(await self._orphans(lot), dry_run=dry_run)
                lot.clear()
        return removed + await self._remove(await self._orphans(lot), dry_run=dry_run)

    async def _orphans(self, keys: Sequence[str]) -> list[str]:
        async with self._database.transaction() as tx:
            return await store.orphaned_pictures(tx, keys)

    async def _remove(self, keys: Sequence[str], *, dry_run: bool) -> int:
        if not dry_run:
            for start in range(0, len(keys), MAX_OBJECTS_PER_DELETE):
                await self._objects.delete(keys[start : start + MAX_OBJECTS_PER_DELETE])
        return len(keys)


class RetentionJob(Job[Retention]):
    payload = Retention
    limits = JobLimits(concurrency=1, time_limit=timedelta(hours=6))

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner

    async def run(self, payload: Retention, context: JobContext) -> None:
        cleaned = await self._cleaner.clean(dry_run=payload.dry_run)
        async with context.finishing(result=asdict(cleaned)):
            pass
