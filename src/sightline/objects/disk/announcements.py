"""Announcements of new objects that survive a crash: written down before the object can be seen, struck out when told."""

import asyncio
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
from sightline.timing import repeat

Announce = Callable[[ObjectCreated], Awaitable[None]]
"""Tells whoever wants to know. It may be called twice for one object, and raises if it could not tell."""

LOOK_EVERY_S = 5.0
LEFT_ALONE_S = 3.0
"""Whoever wrote one down is probably about to tell it."""
GIVEN_UP_AFTER_S = 600.0
"""An announcement whose object is not there by now was written by somebody who died before the object was."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Announcement:
    """One that is written down and still to be told."""

    path: Path
    created: ObjectCreated


class PendingAnnouncements:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def add(self, name: str, created: ObjectCreated) -> Announcement:
        """On the disk when this returns. `name` is unlike any other."""
        path = self._directory / f"{name}.json"
        write_durably(path, json.dumps(created.to_detail(), ensure_ascii=False).encode())
        return Announcement(path, created)

    def unless_refused(self, announcement: Announcement | None, publish: Callable[[], object]) -> None:
        """Makes the object seen. If its key turns out not to be free, there is nothing to announce."""
        try:
            publish()
        except (Conflict, InvalidInput):
            if announcement is not None:
                announcement.path.unlink(missing_ok=True)
            raise

    def list(self) -> list[Path]:
        return sorted(self._directory.glob("*.json"))

    def read(self, path: Path) -> tuple[Announcement, float] | None:
        """With its age in seconds; None if somebody struck it out meanwhile."""
        try:
            age_s = time.time() - path.stat().st_mtime
            return Announcement(path, ObjectCreated.model_validate_json(path.read_bytes())), age_s
        except FileNotFoundError:
            return None


class Announcer:
    def __init__(self, announce: Announce, threads: DiskThreads) -> None:
        self._announce = announce
        self._threads = threads

    async def tell(self, announcement: Announcement) -> None:
        await self._announce(announcement.created)
        await self._threads.run(announcement.path.unlink, missing_ok=True)

    async def try_to_tell(self, announcement: Announcement) -> None:
        """The object is stored either way; what cannot be told now is told later, by the upkeep."""
        try:
            await self.tell(announcement)
        except Exception as error:
            log.warning("objects.announcement_failed", key=announcement.created.object.key, error=str(error))


class AnnouncementUpkeep:
    """Tells what was left untold: by a process that was killed, or because nobody could be told just then."""

    name = "objects-announcements"

    def __init__(
        self,
        pending: PendingAnnouncements,
        announcer: Announcer,
        head: Callable[[str], Awaitable[StoredObject | None]],
        threads: DiskThreads,
        *,
        registry: CollectorRegistry | None = None,
        every_s: float = LOOK_EVERY_S,
        left_alone_s: float = LEFT_ALONE_S,
        given_up_after_s: float = GIVEN_UP_AFTER_S,
    ) -> None:
        self._pending = pending
        self._announcer = announcer
        self._head = head
        self._threads = threads
        self._every_s = every_s
        self._left_alone_s = left_alone_s
        self._given_up_after_s = given_up_after_s
        self._count = Gauge("sightline_objects_unannounced", "Objects stored and not announced yet.", registry=registry)

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self.look)

    async def look(self) -> None:
        paths = await self._threads.run(self._pending.list)
        self._count.set(len(paths))
        for path in paths:
            try:
                await self._tell(path)
            except Exception as error:  # one that cannot be told must not hold up the others
                log.warning("objects.announcement_failed", announcement=path.stem, error=str(error))

    async def _tell(self, path: Path) -> None:
        found = await self._threads.run(self._pending.read, path)
        if found is None or found[1] < self._left_alone_s:
            return
        announcement, age_s = found
        told_of = announcement.created.object
        stored = await self._head(told_of.key)
        if stored is not None and stored.etag == told_of.etag:
            await self._announcer.tell(announcement)
            log.info("objects.announced_late", key=told_of.key, seconds=round(age_s, 1))
        elif age_s >= self._given_up_after_s:
            log.warning("objects.announcement_dropped", key=told_of.key, etag=told_of.etag)
            await self._threads.run(path.unlink, missing_ok=True)
