"""Contents of a server, to be compared: roles, and of each database its objects, rows and sequences."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from sightline.db import load_queries

# The text of a value must not depend on settings of a role or a database.
_SESSION = {
    "timezone": "UTC",
    "datestyle": "ISO",
    "intervalstyle": "iso_8601",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "search_path": "",
    "row_security": "off",
}

_queries = load_queries(Path(__file__).with_name("contents.sql"))


@dataclass(slots=True)
class Contents:
    """A short text for everything that must be the same, by a name that a person understands."""

    texts: dict[str, str] = field(default_factory=dict)
    table_count: int = 0
    row_count: int = 0

    def add(self, other: "Contents", database: str) -> None:
        self.texts |= {f"{name} in database {database}": text for name, text in other.texts.items()}
        self.table_count += other.table_count
        self.row_count += other.row_count


def differences(old: Contents, new: Contents) -> Iterator[str]:
    for name in sorted(old.texts.keys() | new.texts.keys()):
        before, after = old.texts.get(name), new.texts.get(name)
        if after is None:
            yield f"{name} is missing"
        elif before is None:
            yield f"{name} was not there before"
        elif before != after:
            # Roles have passwords, so only the names of differences are shown.
            yield f"{name} is different"


@asynccontextmanager
async def session(url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url, server_settings=_SESSION)
    try:
        yield connection
    finally:
        await connection.close()


async def database_names(connection: asyncpg.Connection) -> dict[str, bool]:
    """Every database, and whether it accepts connections."""
    return {row["name"]: row["is_open"] for row in await _queries["databases"].rows(connection)}


async def extension_names(connection: asyncpg.Connection) -> set[str]:
    return {row["name"] for row in await _queries["extensions"].rows(connection)}


async def available_extensions(connection: asyncpg.Connection) -> set[str]:
    return {row["name"] for row in await _queries["available_extensions"].rows(connection)}


async def table_count(connection: asyncpg.Connection) -> int:
    return len(await _queries["table_digests"].rows(connection))


async def role_contents(connection: asyncpg.Connection) -> Contents:
    return Contents({row["name"]: row["content"] for row in await _queries["roles"].rows(connection)})


async def database_contents(connection: asyncpg.Connection, on_table: Callable[[int], None]) -> Contents:
    """Reads every row. `on_table` gets the number of tables that are done."""
    found = Contents({row["name"]: "" for row in await _queries["schema_objects"].rows(connection)})
    for name in ("sequences", "large_objects"):
        found.texts |= {row["name"]: row["content"] for row in await _queries[name].rows(connection)}
    for table in await _queries["table_digests"].rows(connection):
        digest = await connection.fetchrow(table["statement"])
        assert digest is not None
        found.texts[table["name"]] = f"{digest['row_count']} rows {digest['digest']}"
        found.table_count += 1
        found.row_count += digest["row_count"]
        on_table(found.table_count)
    return found
