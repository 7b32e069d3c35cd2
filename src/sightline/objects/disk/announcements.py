"""Announcements of new objects that survive a crash: stored before the object is visible, removed once they are delivered."""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import structlog
from prometheus_client import CollectorRegistry, Gauge

from sightline.contracts.storage_events import ObjectCreated
from sightline.errors import Conflict, InvalidInput
from sightline.objects.disk.files import write_durably
from sightline.objects.disk.threads import DiskThreads
from sightline.objects.store import StoredObject
from sightline.supervisor import Every

Announce = Callable[[ObjectCreated], Awaitable[None]]
"""Publishes that an object was created. May be called twice for one object, and raises if it could not publish."""

RETRY_EVERY_S = 5.0
RETRY_AFTER_S = 3.0
"""A younger announcement is probably about to be sent by the process that stored it."""
DROP_AFTER_S = 600.0
"""An announcement whose object does not exist by then was stored by a process that was killed before it stored the object."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement that is stored and not sent yet."""

    path: Path
    created: ObjectCreated


class PendingAnnouncements:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def add(self, name: str, created: ObjectCreated) -> Announcement:
        """Durable when this returns. `name` must be unique."""
        path = self._directory / f"{name}.json"
        write_durably(path, json.dumps(created.to_detail(), ensure_ascii=False).encode())
        return Announcement(path, created)

    def drop_on_conflict(self, announcement: Announcement | None, publish: Callable[[], object]) -> None:
        """Makes the object visible. If its key turns out to be taken, there is nothing to announce."""
        try:
            publish()
        except (Conflict, InvalidInput):
            if announcement is not None:
                announcement.path.unlink(missing_ok=True)
            raise

    def list(self) -> list[Path]:
        return sorted(self._directory.glob("*.json"))

    def read(self, path: Path) -> tuple[Announcement, float] | None:
        """The announcement and its age in seconds; None if another process removed it in the meantime."""
        try:
            age_s = time.time() - path.stat().st_mtime
            return Announcement(path, ObjectCreated.model_validate_json(path.read_bytes())), age_s
        except FileNotFoundError:
            return None


class ObjectAnnouncer:
    def __init__(self, announce: Announce, threads: DiskThreads) -> None:
        self._announce = announce
        self._threads = threads

    async def announce(self, announcement: Announcement) -> None:
        await self._announce(announcement.created)
        await self._threads.run(announcement.path.unlink, missing_ok=True)

    async def try_announce(self, announcement: Announcement) -> None:
        """The object is stored either way; `AnnouncementRetry` sends what cannot be sent now."""
        try:
            await self.announce(announcement)
        except Exception as error:
            log.warning("objects.announcement_failed", key=announcement.created.object.key, error=str(error))


class AnnouncementRetry:
    """Sends what was left: by a process that was killed, or because publishing failed at the time."""

    def __init__(
        self,
        pending: PendingAnnouncements,
        announcer: ObjectAnnouncer,
        head: Callable[[str], Awaitable[StoredObject | None]],
        threads: DiskThreads,
        *,
        registry: CollectorRegistry | None = None,
        retry_after_s: float = RETRY_AFTER_S,
        drop_after_s: float = DROP_AFTER_S,
    ) -> None:
        self._pending = pending
        self._announcer = announcer
        self._head = head
        self._threads = threads
        self._retry_after_s = retry_after_s
        self._drop_after_s = drop_after_s
        self._count = Gauge("sightline_objects_unannounced", "Objects stored and not announced yet.", registry=registry)

    def service(self) -> Every:
        return Every("objects-announcements", RETRY_EVERY_S, self.retry)

    async def retry(self) -> None:
        paths = await self._threads.run(self._pending.list)
        self._count.set(len(paths))
        for path in paths:
            try:
                await self._retry(path)
            except Exception as error:  # one that fails must not hold up the others
                log.warning("objects.announcement_failed", announcement=path.stem, error=str(error))

    async def _retry(self, path: Path) -> None:
        found = await self._threads.run(self._pending.read, path)
        if found is None or found[1] < self._retry_after_s:
            return
        announcement, age_s = found
        created = announcement.created.object
        stored = await self._head(created.key)
        if stored is not None and stored.etag == created.etag:
            await self._announcer.announce(announcement)
            log.info("objects.announced_late", key=created.key, seconds=round(age_s, 1))
        elif age_s >= self._drop_after_s:
            log.warning("objects.announcement_dropped", key=created.key, etag=created.etag)
            await self._threads.run(path.unlink, missing_ok=True)
