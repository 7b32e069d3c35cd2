"""Export of one person's data: a ZIP with a JSON file for each table, and the stored files if wanted."""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from sightline.db import Database, Statement, Transaction, load_queries
from sightline.errors import NotFound
from sightline.messages import Message, MessageFilter, MessageStore
from sightline.objects import ObjectStore
from sightline.paging import Cursor
from sightline.personal_data.person import KnownPerson
from sightline.timing import iso_utc, utc_now
from sightline.zip_stream import ZipStream

_here = Path(__file__).parent
TABLES: Mapping[str, Statement] = dict(load_queries(_here / "export.sql")) | dict(
    load_queries(_here / "export_bus.sql")
)
_files = load_queries(_here / "files.sql")
_READ_BYTES = 1024 * 1024
_MESSAGES_AT_ONCE = 500
# Read in the snapshot of one moment, so that no table shows what another does not know of.
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@dataclass
class PersonExport:
    database: Database
    objects: ObjectStore
    messages: MessageStore
    """Read by its interface, because it may be DynamoDB."""
    counts: dict[str, int] = field(default_factory=dict)
    missing_files: list[str] = field(default_factory=list)

    async def stream(self, person: KnownPerson, *, with_files: bool) -> AsyncIterator[bytes]:
        """The ZIP in chunks. The tables are read into a temporary file first: a slow receiver holds up no transaction."""
        archive = ZipStream()
        with tempfile.TemporaryFile() as spool:
            keys = await self._write_tables(archive, spool, person, with_files=with_files)
            await asyncio.to_thread(spool.seek, 0)
            while chunk := await asyncio.to_thread(spool.read, _READ_BYTES):
                yield chunk
        for key in keys:
            async for chunk in self._file(archive, key):
                yield chunk
        yield archive.add("manifest.json", self._manifest(person), is_text=True)
        yield archive.close()

    async def _write_tables(
        self, archive: ZipStream, spool: IO[bytes], person: KnownPerson, *, with_files: bool
    ) -> list[str]:
        async with self.database.transaction() as tx:
            await tx.execute(_SNAPSHOT)
            for name, statement in TABLES.items():
                if name != "messages":
                    await self._write_table(archive, spool, name, items_of(tx, statement, person))
            found = await _files["files"].rows(tx, person=person.id) if with_files else []
        await self._write_table(archive, spool, "messages", self._messages(person))
        return [row["key"] for row in found]

    async def _write_table(self, archive: ZipStream, spool: IO[bytes], name: str, items: AsyncIterator[str]) -> None:
        member = archive.start(f"{name}.json", is_text=True)
        pieces, count = ["["], 0
        async for item in items:
            pieces.append(("," if count else "") + "\n" + item)
            count += 1
            if len(pieces) >= _MESSAGES_AT_ONCE:
                await asyncio.to_thread(spool.write, member.write("".join(pieces).encode()))
                pieces = []
        pieces.append("\n]\n")
        rest = member.write("".join(pieces).encode()) + member.finish()
        await asyncio.to_thread(spool.write, rest)
        self.counts[name] = count

    async def _messages(self, person: KnownPerson) -> AsyncIterator[str]:
        before: Cursor[str] | None = None
        while True:
            found = await self.messages.find(MessageFilter(owner_id=person.id), limit=_MESSAGES_AT_ONCE, before=before)
            for message in found:
                yield json.dumps(_message_json(message), ensure_ascii=False, default=str)
            if len(found) < _MESSAGES_AT_ONCE:
                return
            before = Cursor(found[-1].created_date, found[-1].message_id)

    async def _file(self, archive: ZipStream, key: str) -> AsyncIterator[bytes]:
        if await self.objects.head(key) is None:
            self.missing_files.append(key)
            return
        member = archive.start(f"files/{key}")
        try:
            async for chunk in self.objects.stream(key):
                yield member.write(chunk)
        except NotFound:
            self.missing_files.append(key)  # removed while it was read; what was read of it stays in the archive
        yield member.finish()

    def _manifest(self, person: KnownPerson) -> bytes:
        content = {
            "person": str(person.id),
            "names": list(person.names),
            "exported_at": iso_utc(utc_now()),
            "rows": self.counts,
            "missing_files": self.missing_files,
        }
        return json.dumps(content, indent=2, ensure_ascii=False).encode()


async def count_rows(tx: Transaction, person: KnownPerson) -> dict[str, int]:
    """How many rows of each table are the person's."""
    counts = {}
    for name, statement in TABLES.items():
        counts[name] = sum([1 async for _ in items_of(tx, statement, person)])
    return counts


async def items_of(tx: Transaction, statement: Statement, person: KnownPerson) -> AsyncIterator[str]:
    known: dict[str, Any] = {"person": person.id, "names": list(person.names)}
    values = {name: known[name] for name in statement.parameters}
    async for row in statement.each(tx, **values):
        yield row["item"]


def _message_json(message: Message) -> dict[str, Any]:
    return {
        "message_id": message.message_id,
        "message_type": message.message_type,
        "status": message.status,
        "created_by": message.created_by,
        "created_date": iso_utc(message.created_date),
        "payload": dict(message.payload),
        "notification": message.notification.to_json(),
        "history": [step.to_json() for step in message.history],
        "error_message": message.error_message,
    }
