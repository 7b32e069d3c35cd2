"""Forward-only migrations: numbered `.sql` files, each in a transaction of its own, one process at a time.

The lock is taken inside each transaction, so it works through a pooler and is gone with a killed process. Ten
processes that start at once apply each file once; nine of them wait and find it done.

Versions run beside each other while a fleet is upgraded, so an older one works on a schema that newer migrations added to. A
migration that removes what older versions use says so on a line `-- removes: …`; then they refuse to start (ADR 0103).
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import asyncpg
import structlog

from sightline.db.schema_check import check_schema, current_objects, has_record, record_changes
from sightline.errors import ConfigurationError

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK_KEY = 0x516874_6C696E65  # any constant will do; all processes must agree on it

_FILE_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")
_REMOVES = re.compile(r"^-- removes: (.+)\n", re.MULTILINE)
_KEEPS = re.compile(r"^-- keeps: (.+)\n", re.MULTILINE)
_LEDGER = """
CREATE TABLE IF NOT EXISTS public.schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    removes text
)
"""
_APPLIED = """
SELECT number, name, checksum, to_jsonb(applied) ->> 'removes' AS removes FROM public.schema_migrations AS applied
"""  # also where an older version made the table, without the column

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Of the statements: the marks for other versions may be added to a migration that was applied somewhere."""
        return hashlib.sha256(_KEEPS.sub("", _REMOVES.sub("", self.sql)).encode()).hexdigest()[:16]

    @property
    def removes(self) -> str | None:
        """What it removes or changes that older versions use; None if they can work on the schema that it leaves."""
        found = _REMOVES.search(self.sql)
        return None if found is None else found[1].strip()

    @property
    def keeps(self) -> str | None:
        """Why older versions can work on the schema although something is dropped or renamed."""
        found = _KEEPS.search(self.sql)
        return None if found is None else found[1].strip()


def read_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """All migrations in order. A number may be left out, for a branch that has not landed yet; none is used twice."""
    found = []
    for path in sorted(folder.glob("*.sql")):
        match = _FILE_NAME.match(path.name)
        if match is None:
            raise ConfigurationError(f"{path.name} is not named like a migration (0001_what_it_does.sql)")
        found.append(Migration(int(match[1]), path.stem, path.read_text(encoding="utf-8")))
    for before, migration in pairwise(found):
        if migration.number == before.number:
            raise ConfigurationError(f"migration {before.number:04d} is doubled: {before.name} and {migration.name}")
    return found


def newest_migration() -> int:
    """The newest one that this version knows."""
    return read_migrations()[-1].number


async def applied_migration(url: str) -> int:
    """The newest one that the database at `url` has; 0 if it has none."""
    connection = await asyncpg.connect(url, statement_cache_size=0)
    try:
        if await connection.fetchval("SELECT to_regclass('public.schema_migrations')") is None:
            return 0
        return int(await connection.fetchval("SELECT max(number) FROM public.schema_migrations") or 0)
    finally:
        await connection.close()


async def migrate(url: str, migrations: list[Migration] | None = None) -> list[Migration]:
    """Brings the database at `url` up to date and returns what was applied by this call. Refuses one that is not whole."""
    known = read_migrations() if migrations is None else migrations
    connection = await asyncpg.connect(url, statement_cache_size=0)
    try:
        async with connection.transaction():
            await check_schema(connection)
        await _prepare_ledger(connection)
        applied = [migration for migration in known if await _apply(connection, migration, known)]
        async with connection.transaction():
            await _settle_vectors(connection)  # the server may have got the extension since
            await _settle_api_roles(connection)  # they may have been created since
        if applied:
            log.info("database.migrated", migrations=len(applied), newest=applied[-1].name)
        return applied
    finally:
        await connection.close()


async def pending(url: str) -> list[Migration]:
    """The migrations that the database at `url` does not have yet. Changes nothing."""
    connection = await asyncpg.connect(url, statement_cache_size=0)
    try:
        async with connection.transaction():
            if await connection.fetchval("SELECT to_regclass('public.schema_migrations')") is None:
                return read_migrations()
            applied = [dict(row) for row in await connection.fetch(_APPLIED)]
            known = read_migrations()
            refuse_removals(known, applied)
            await check_schema(connection)
    finally:
        await connection.close()
    numbers = {row["number"] for row in applied}
    return [migration for migration in known if migration.number not in numbers]


def refuse_removals(known: Sequence[Migration], applied: Iterable[Mapping[str, Any]]) -> None:
    """Raises if a migration that this version does not know has removed what this version uses."""
    numbers = {one.number for one in known}
    for row in applied:
        if row["number"] not in numbers and row["removes"] is not None:
            raise ConfigurationError(
                f"the database is at migration {row['number']} ({row['name']}), which removed what this version of Sightline "
                f"uses: {row['removes']}; use the newer version"
            )


async def _prepare_ledger(connection: asyncpg.Connection) -> None:
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_KEY)
        await connection.execute(_LEDGER)
        if not await connection.fetchval(
            "SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'public.schema_migrations'::regclass"
            " AND attname = 'removes')"
        ):
            await connection.execute("ALTER TABLE public.schema_migrations ADD COLUMN removes text")


async def _apply(connection: asyncpg.Connection, migration: Migration, known: list[Migration]) -> bool:
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_KEY)
        applied = {row["number"]: dict(row) for row in await connection.fetch(_APPLIED)}
        refuse_removals(known, applied.values())
        unknown = applied.keys() - {one.number for one in known}
        if unknown and migration.number not in applied:
            newest = max(unknown)
            raise ConfigurationError(
                f"the database is at migration {newest} ({applied[newest]['name']}), "
                f"which this version of Sightline does not know, and {migration.name} is missing there; use the newer version"
            )
        if (done := applied.get(migration.number)) is not None:
            if done["checksum"] != migration.checksum:
                raise ConfigurationError(
                    f"migration {migration.name} was changed after it was applied; add a new one instead"
                )
            return False
        before = await current_objects(connection) if await has_record(connection) else set()
        await connection.execute(migration.sql)
        await _settle_api_roles(connection)
        if await has_record(connection):
            await record_changes(connection, before)
        await connection.execute(
            "INSERT INTO public.schema_migrations (number, name, checksum, removes) VALUES ($1, $2, $3, $4)",
            migration.number,
            migration.name,
            migration.checksum,
            migration.removes,
        )
    log.debug("database.migration_applied", migration=migration.name)
    return True


async def _settle_api_roles(connection: asyncpg.Connection) -> None:
    """Default privileges of Supabase open each new table to everybody, so they are closed in the same transaction."""
    if await connection.fetchval("SELECT to_regprocedure('sightline.settle_api_roles()')") is not None:
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_KEY)
        await connection.execute("SELECT sightline.settle_api_roles()")


async def _settle_vectors(connection: asyncpg.Connection) -> None:
    """Vectors need an extension that not every server has (ADR 0075): their table is made outside of the numbered migrations."""
    if await connection.fetchval("SELECT to_regprocedure('sightline.settle_vectors()')") is not None:
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_KEY)
        if (state := await connection.fetchval("SELECT sightline.settle_vectors()")) != "ready":
            log.info("database.vectors_unavailable", reason=state)
