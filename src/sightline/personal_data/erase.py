"""Erasure of one person's data: in batches, each of them safe to be killed after and to be repeated."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog

from sightline.access import ERASED_PERSON, AuditLog, Pseudonym
from sightline.bus import Registry
from sightline.cameras import notify_changed
from sightline.db import Database, Queries, Statement, load_queries
from sightline.objects import (
    ObjectStore,
    camera_prefix,
    event_clip_key,
    event_clip_poster_key,
    event_clip_preview_key,
    person_export_key,
    tus_prefix,
)
from sightline.personal_data.person import KnownPerson, pseudonym_id
from sightline.videos import RemovalSweep, remove_video

_here = Path(__file__).parent
STEPS = load_queries(_here / "erase.sql")
LAST_STEPS = load_queries(_here / "last.sql")
_sql = load_queries(_here / "queries.sql")
BATCH = 1000
VIDEOS_AT_ONCE = 10

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PersonParts:
    """The parts of the platform that hold data of people."""

    database: Database
    objects: ObjectStore
    audit: AuditLog
    removals: RemovalSweep
    remove_recordings: Callable[[], Awaitable[int]]
    registry: Registry | None
    """None on AWS, whose resources belong to the account."""
    camera_folders: Path
    secret: bytes


@dataclass(slots=True)
class ErasureReport:
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, count: int) -> None:
        self.counts[name] = self.counts.get(name, 0) + count


class Erasure:
    """Access ends first, then traces in rows of others go, then what the person owns, and last what the person is found by."""

    def __init__(self, parts: PersonParts, person: KnownPerson, *, batch: int = BATCH) -> None:
        self._parts = parts
        self._person = person
        self._batch = batch
        self._pseudonym = Pseudonym(person.id, frozenset(person.names), pseudonym_id(person.id, parts.secret))
        self.report = ErasureReport()

    async def run(self) -> ErasureReport:
        await self._run_steps(STEPS)
        await self._videos()
        await self._tus_uploads()
        await self._events()
        await self._cameras()
        await self._account()
        await self._exports()
        # Work that was under way may have added to these since.
        await self._run_steps(STEPS)
        await self._sweep()
        self.report.add("audit_log", await self._parts.audit.pseudonymize(self._pseudonym))
        await self._run_steps(LAST_STEPS)
        log.info("person.erased", pseudonym=str(self._pseudonym.id), rows=sum(self.report.counts.values()))
        return self.report

    @property
    def pseudonym(self) -> UUID:
        return self._pseudonym.id

    async def _run_steps(self, steps: Queries) -> None:
        for name in steps:
            self.report.add(name, await self._repeat(steps[name]))

    async def _repeat(self, statement: Statement, **more: Any) -> int:
        """A statement without a limit runs once; one with a limit until it finds nothing."""
        known = {
            "person": self._person.id,
            "names": list(self._person.names),
            "label": ERASED_PERSON,
            "pseudonym": self._pseudonym.id,
            "limit": self._batch,
        } | more
        values = {name: known[name] for name in statement.parameters}
        changed = 0
        while True:
            async with self._parts.database.transaction() as tx:
                count = await statement.run(tx, **values)
            changed += count
            if count == 0 or "limit" not in values:
                return changed

    async def _videos(self) -> None:
        while True:
            async with self._parts.database.transaction() as tx:
                found = await _sql["videos"].rows(tx, person=self._person.id, limit=min(VIDEOS_AT_ONCE, self._batch))
                for row in found:
                    await remove_video(tx, row["id"], store_upload_id=row["store_upload_id"])
            if not found:
                return
            self.report.add("videos", len(found))
            await self._sweep()

    async def _sweep(self) -> None:
        """The objects of removed videos and cameras; what a kill leaves, every running platform goes on with by itself."""
        while await self._parts.removals.sweep():
            pass
        await self._parts.remove_recordings()

    async def _tus_uploads(self) -> None:
        while found := await self._rows("tus_uploads"):
            for row in found:
                await self._parts.objects.delete_prefix(tus_prefix(row["id"]))
            await self._run("remove_tus_uploads", ids=[row["id"] for row in found])
            self.report.add("tus_uploads", len(found))

    async def _events(self) -> None:
        while found := await self._rows("events"):
            keys = [row["picture_key"] for row in found if row["picture_key"]]
            for name in (event_clip_key, event_clip_poster_key, event_clip_preview_key):
                keys += [name(row["id"]) for row in found]
            await self._parts.objects.delete(keys)
            await self._run("remove_events", ids=[row["id"] for row in found])
            self.report.add("events", len(found))

    async def _cameras(self) -> None:
        async with self._parts.database.transaction() as tx:
            keys = [row["camera_key"] for row in await _sql["camera_keys"].rows(tx, person=self._person.id)]
        for key in keys:
            while found := await self._rows("detections", camera_key=key):
                await self._parts.objects.delete([row["image_key"] for row in found if row["image_key"]])
                await self._run("remove_detections", ids=[row["id"] for row in found])
                self.report.add("detections", len(found))
            self.report.add("recordings", await self._repeat(_sql["remove_recordings"], camera_key=key))
            async with self._parts.database.transaction() as tx:
                await _sql["remove_jobs_of_camera"].run(tx, camera_key=key)
                await _sql["remove_camera"].run(tx, camera_key=key)
                await notify_changed(tx, key)
            await self._parts.objects.delete_prefix(camera_prefix(key))
            await asyncio.to_thread(shutil.rmtree, self._parts.camera_folders / str(key), ignore_errors=True)
            self.report.add("cameras", 1)

    async def _exports(self) -> None:
        async with self._parts.database.transaction() as tx:
            found = [row["request_id"] for row in await _sql["exports"].rows(tx, person=self._person.id)]
        await self._parts.objects.delete([person_export_key(one) for one in found])
        self.report.add("person_requests", await self._run("remove_exports", ids=found))

    async def _account(self) -> None:
        async with self._parts.database.transaction() as tx:
            accounts = [row["account_id"] for row in await _sql["accounts"].rows(tx, person=self._person.id)]
        for account in accounts:
            for name in ("remove_messages_of_queues", "remove_archived_events"):
                self.report.add(name, await self._repeat(_sql[name], account_id=account))
            await self._run("remove_account_rows", account_id=account)
            if self._parts.registry is not None:
                await self._remove_resources(self._parts.registry, account)

    async def _remove_resources(self, registry: Registry, account: str) -> None:
        async with registry.changing() as change:
            known = change.snapshot
            for resources in (
                known.archives,
                known.rules,
                known.event_buses,
                known.subscriptions,
                known.topics,
                known.queues,
            ):
                for resource in [
                    one for one in resources.values() if one.account_id == account and not one.is_declared
                ]:
                    await change.remove(resource)
                    self.report.add("resources of the AWS endpoint", 1)

    async def _rows(self, name: str, **values: Any) -> list[Any]:
        known = {"person": self._person.id, "limit": self._batch} | values
        async with self._parts.database.transaction() as tx:
            return await _sql[name].rows(tx, **{key: known[key] for key in _sql[name].parameters})

    async def _run(self, name: str, **values: Any) -> int:
        async with self._parts.database.transaction() as tx:
            return await _sql[name].run(tx, **values)
