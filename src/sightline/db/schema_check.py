"""Whether the schema is whole: what the migrations made, as they recorded it, against what is there.

A restore that failed half-way leaves the list of applied migrations without some of what they made. Starting on such a database
would fail later and far from the cause.
"""

from pathlib import Path
from typing import NamedTuple

from sightline.db.pool import Transaction
from sightline.db.queries import load_queries
from sightline.errors import ConfigurationError

MAX_NAMED = 5

_sql = load_queries(Path(__file__).with_name("schema_objects.sql"))


class SchemaObject(NamedTuple):
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


async def current_objects(tx: Transaction) -> set[SchemaObject]:
    return {SchemaObject(row["kind"], row["name"]) for row in await _sql["current_objects"].rows(tx)}


async def has_record(tx: Transaction) -> bool:
    return bool(await _sql["has_record"].value(tx))


async def record_changes(tx: Transaction, before: set[SchemaObject]) -> None:
    """After a migration: what it made is expected from now on, and what it removed is not."""
    after = await current_objects(tx)
    for statement, changed in (("add_objects", after - before), ("remove_objects", before - after)):
        if changed:
            await _sql[statement].run(tx, kinds=[one.kind for one in changed], names=[one.name for one in changed])


async def check_schema(tx: Transaction) -> None:
    """Raises if something is missing that the migrations made."""
    if not await has_record(tx):
        return
    recorded = {SchemaObject(row["kind"], row["name"]) for row in await _sql["recorded_objects"].rows(tx)}
    missing = sorted(recorded - await current_objects(tx), key=_tables_first)
    if missing:
        names = ", ".join(map(str, missing[:MAX_NAMED])) + (
            f" and {len(missing) - MAX_NAMED} more" * (len(missing) > MAX_NAMED)
        )
        raise ConfigurationError(
            f"the database is not whole: {names} missing. If it was restored, restore it again into an empty database "
            "(sightline restore, or psql with ON_ERROR_STOP=1) and look at the first error"
        )


def _tables_first(found: SchemaObject) -> tuple[bool, str, str]:
    return (found.kind != "table", found.kind, found.name)
