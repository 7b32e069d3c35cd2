"""Forward-only migrations: numbered `.sql` files, each in a transaction of its own, one process at a time.

The lock is taken inside each transaction, so it works through a pooler and is gone with a killed process. Ten
processes that start at once apply each file once; nine of them wait and find it done.
"""

import hashlib
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import asyncpg
import structlog

from sightline.db.schema_check import check_schema, current_objects, has_record, record_changes
from sightline.errors import ConfigurationError

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK_KEY = 0x516874_6C696E65  # any constant will do; all processes must agree on it

_FILE_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")
_LEDGER = """
CREATE TABLE IF NOT EXISTS public.schema_migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
)
"""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()[:16]


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
        applied = [migration for migration in known if await _apply(connection, migration, known)]
        async with connection.transaction():
            await _settle_vectors(connection)  # the server may have got the extension since
            await _settle_api_roles(connection)  # they may have been created since
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
            applied = await connection.fetch("SELECT number FROM public.schema_migrations")
            await check_schema(connection)
    finally:
        await connection.close()
    numbers = {row["number"] for row in applied}
    return [migration for migration in read_migrations() if migration.number not in numbers]


async def _apply(connection: asyncpg.Connection, migration: Migration, known: list[Migration]) -> bool:
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK_KEY)
        await connection.execute(_LEDGER)
        applied = {
            row["number"]: row
            for row in await connection.fetch("SELECT number, name, checksum FROM public.schema_migrations")
        }
        unknown = applied.keys() - {one.number for one in known}
        if unknown:
            newest = max(unknown)
            raise ConfigurationError(
                f"the database is at migration {newest} ({applied[newest]['name']}), "
                "which this version of Sightline does not know; use the newer version"
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
            "INSERT INTO public.schema_migrations (number, name, checksum) VALUES ($1, $2, $3)",
            migration.number,
            migration.name,
            migration.checksum,
        )
    log.info("database.migrated", migration=migration.name)
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
