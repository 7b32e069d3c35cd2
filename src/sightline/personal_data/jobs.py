"""Jobs that export and erase a person's data. A kill half-way is made up for by the next attempt."""

import asyncio
from datetime import timedelta
from typing import Any

from sightline.access import AuditEvent
from sightline.contracts.jobs import ErasePerson, ExportPerson
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits, Scratch
from sightline.messages import MessageStore
from sightline.objects import ObjectStore, person_export_key
from sightline.personal_data.erase import Erasure, PersonParts
from sightline.personal_data.export import PersonExport
from sightline.personal_data.person import person_of
from sightline.personal_data.requests import fail_request, finish_export, start_request


class PersonExportJob(Job[ExportPerson]):
    """Everything that is stored about a person as a ZIP in the object store, for as long as it can be downloaded."""

    payload = ExportPerson
    limits = JobLimits(concurrency=1, time_limit=timedelta(hours=12))

    def __init__(
        self, database: Database, objects: ObjectStore, messages: MessageStore, scratch: Scratch, *, keep: timedelta
    ) -> None:
        self._database = database
        self._objects = objects
        self._messages = messages
        self._scratch = scratch
        self._keep = keep

    async def run(self, payload: ExportPerson, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            request = await start_request(tx, payload.request_id, "export")
            if request is None:
                return
            person = await person_of(tx, request.person_id)
        key = person_export_key(request.request_id)
        export = PersonExport(self._database, self._objects, self._messages)
        async with self._scratch.directory() as folder:
            file = folder / "export.zip"
            with file.open("wb") as out:
                async for chunk in export.stream(person, with_files=request.with_files):
                    await asyncio.to_thread(out.write, chunk)
            stored = await self._objects.put_file(key, file, content_type="application/zip")
        async with context.finishing(result={"bytes": stored.size}) as tx:
            is_wanted = await finish_export(tx, request.request_id, size_bytes=stored.size, keep=self._keep)
        if not is_wanted:
            await self._objects.delete([key])  # the person was erased in the meantime

    async def on_failed(self, tx: Transaction, payload: ExportPerson, error: dict[str, Any]) -> None:
        await fail_request(tx, payload.request_id, _reason(error))


class PersonErasureJob(Job[ErasePerson]):
    """The erasure of the command line, when its time has come. Its request is the last thing that goes."""

    payload = ErasePerson
    limits = JobLimits(concurrency=1, time_limit=timedelta(hours=12))

    def __init__(self, parts: PersonParts) -> None:
        self._parts = parts

    async def run(self, payload: ErasePerson, context: JobContext) -> None:
        async with self._parts.database.transaction() as tx:
            request = await start_request(tx, payload.request_id, "erasure")
            if request is None:
                return
            person = await person_of(tx, request.person_id)
        erasure = Erasure(self._parts, person)
        target = f"person {erasure.pseudonym}"
        await self._parts.audit.record(AuditEvent("person.erasure_began", via="platform", target=target))
        await erasure.run()
        await self._parts.audit.record(AuditEvent("person.erased", via="platform", target=target))

    async def on_failed(self, tx: Transaction, payload: ErasePerson, error: dict[str, Any]) -> None:
        await fail_request(tx, payload.request_id, _reason(error))


def _reason(error: dict[str, Any]) -> str:
    return str(error.get("message") or error.get("code") or "unknown")
