"""Requests to export or erase a person's data: made in the page, carried out by jobs (ADR 0109)."""

from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal
from uuid import UUID, uuid4

import asyncpg
import structlog

from sightline.contracts.jobs import ErasePerson, ExportPerson
from sightline.db import Database, Transaction, load_queries
from sightline.errors import Conflict, NotFound
from sightline.jobs import JobQueue
from sightline.objects import PERSON_EXPORTS_PREFIX, ObjectStore, person_export_key, request_id_of_export
from sightline.personal_data.settings import PeopleSettings
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now

SWEEP_EVERY_S = 600.0
ADDRESS_VALID_S = 900.0
MAX_LISTED = 20

RequestKind = Literal["export", "erasure"]
RequestState = Literal["waiting", "running", "done", "failed", "cancelled", "expired"]

log = structlog.get_logger(__name__)
_sql = load_queries(Path(__file__).with_name("requests.sql"))


@dataclass(frozen=True, slots=True)
class PersonRequest:
    request_id: UUID
    person_id: UUID
    requested_by: UUID | None
    kind: RequestKind
    with_files: bool
    state: RequestState
    job_id: UUID
    due_at: datetime
    size_bytes: int | None
    expires_at: datetime | None
    error: str | None
    requested_at: datetime
    finished_at: datetime | None


class PersonRequests:
    """Access is checked by the caller, not here."""

    def __init__(
        self,
        database: Database,
        objects: ObjectStore,
        jobs: JobQueue,
        settings: PeopleSettings,
        *,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._objects = objects
        self._jobs = jobs
        self._settings = settings
        self._clock = clock

    def service(self) -> Every:
        return Every("person-exports", SWEEP_EVERY_S, self.sweep)

    async def request_export(self, person_id: UUID, *, by: UUID, with_files: bool) -> PersonRequest:
        """Its file is made by a job, and takes the place of the one before."""
        added = await self._add("export", person_id, by, due_at=None, with_files=with_files)
        await self.expire()
        return added

    async def request_erasure(self, person_id: UUID, *, by: UUID) -> PersonRequest:
        """Everything goes when the time to cancel is over."""
        days = self._settings.erasure_grace_days
        due_at = self._clock() + timedelta(days=days) if days else None
        return await self._add("erasure", person_id, by, due_at=due_at, with_files=False)

    async def _add(
        self, kind: RequestKind, person_id: UUID, by: UUID, *, due_at: datetime | None, with_files: bool
    ) -> PersonRequest:
        request_id = uuid4()
        payload = ExportPerson(request_id=request_id) if kind == "export" else ErasePerson(request_id=request_id)
        async with self._database.transaction() as tx:
            if kind == "export":
                # Before its own row is there: a quick job may be done as soon as this is committed.
                await _sql["replace"].run(tx, person_id=person_id)
            job = await self._jobs.enqueue(tx, payload, run_after=due_at)
            row = await _sql["add"].row(
                tx,
                request_id=request_id,
                person_id=person_id,
                requested_by=by,
                kind=kind,
                with_files=with_files,
                job_id=job.id,
                due_at=due_at or self._clock(),
            )
            if row is None:
                raise Conflict(f"an {kind} of this person's data is already under way; wait for it, or cancel it")
        return _request(row)

    async def cancel_erasure(self, person_id: UUID) -> PersonRequest:
        async with self._database.transaction() as tx:
            row = await _sql["cancel"].row(tx, person_id=person_id)
            if row is None:
                raise NotFound("no erasure of this person's data is waiting; one that has begun cannot be cancelled")
            await _sql["remove_job"].run(tx, job_id=row["job_id"])
        return _request(row)

    async def address_of(self, request: PersonRequest) -> tuple[str, datetime]:
        """A signed address of the file, and when it ends."""
        now = self._clock()
        if (
            request.kind != "export"
            or request.state != "done"
            or request.expires_at is None
            or request.expires_at <= now
        ):
            raise NotFound("this export has no file: it is not finished, or was removed; request another one")
        valid_s = min(ADDRESS_VALID_S, (request.expires_at - now).total_seconds())
        key = person_export_key(request.request_id)
        name = f"my-data-{request.requested_at:%Y-%m-%d}.zip"
        url = await self._objects.sign_get(key, expires_s=valid_s, download_as=name, content_type="application/zip")
        return url, now + timedelta(seconds=valid_s)

    async def expire(self) -> None:
        """Removes the files of exports whose time is over: first the file, so that no file is forgotten."""
        async with self._database.transaction() as tx:
            found = [row["request_id"] for row in await _sql["expired"].rows(tx)]
        if found:
            await self._objects.delete([person_export_key(one) for one in found])
            async with self._database.transaction() as tx:
                await _sql["expire"].run(tx, request_ids=found)
            log.info("person.exports_expired", exports=len(found))

    async def sweep(self) -> None:
        """Removes files whose time is over, and those that no request has: of a person erased while the job was killed."""
        await self.expire()
        stored = {
            found.key: request_id_of_export(found.key) async for found in self._objects.find(PERSON_EXPORTS_PREFIX)
        }
        async with self._database.transaction() as tx:
            ids = [one for one in stored.values() if one is not None]
            known = {row["request_id"] for row in await _sql["with_files"].rows(tx, request_ids=ids)}
        if lost := [key for key, request_id in stored.items() if request_id not in known]:
            await self._objects.delete(lost)


async def requests_of(tx: Transaction, person_id: UUID) -> list[PersonRequest]:
    return [_request(row) for row in await _sql["newest"].rows(tx, person_id=person_id, limit=MAX_LISTED)]


async def need_request(tx: Transaction, person_id: UUID, request_id: UUID) -> PersonRequest:
    row = await _sql["get"].row(tx, request_id=request_id, person_id=person_id)
    if row is None:
        raise NotFound(f"no request {request_id}")
    return _request(row)


async def start_request(tx: Transaction, request_id: UUID, kind: RequestKind) -> PersonRequest | None:
    """None if there is nothing to do: it was cancelled or is done, or it is not due."""
    row = await _sql["start"].row(tx, request_id=request_id, kind=kind)
    return None if row is None else _request(row)


async def finish_export(tx: Transaction, request_id: UUID, *, size_bytes: int, keep: timedelta) -> bool:
    """Whether the request is still there."""
    found = await _sql["finish_export"].value(
        tx, request_id=request_id, size_bytes=size_bytes, keep_s=keep.total_seconds()
    )
    return found is not None


async def fail_request(tx: Transaction, request_id: UUID, error: str) -> None:
    await _sql["fail"].run(tx, request_id=request_id, error=error)


def _request(row: asyncpg.Record) -> PersonRequest:
    return PersonRequest(**{field.name: row[field.name] for field in fields(PersonRequest)})
