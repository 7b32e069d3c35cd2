"""Store of notification preferences."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from sightline.db import Database, Grouped, Transaction, load_queries
from sightline.messages.preferences import Preferences
from sightline.notifications import Language

_sql = load_queries(Path(__file__).with_name("preferences.sql"))


async def preferences_of(tx: Transaction, owner_id: UUID) -> Preferences:
    return (await _read(tx, [owner_id]))[0]


async def put_preferences(tx: Transaction, owner_id: UUID, preferences: Preferences) -> None:
    await _sql["put"].run(tx, owner_id=owner_id, preferences=preferences.model_dump(mode="json", exclude_none=True))


class PreferredLanguage:
    """The language that a person chose, or the default for people who chose none and for emails of no owner."""

    def __init__(self, default: Language) -> None:
        self._default: Language = default

    async def of(self, tx: Transaction, owner_id: UUID | None) -> Language:
        if owner_id is None:
            return self._default
        return (await preferences_of(tx, owner_id)).language or self._default


class PreferencesReader:
    """For callers without a transaction; reads at the same moment share one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reads = Grouped(self._read)

    async def of(self, owner_id: UUID) -> Preferences:
        return await self._reads.call(owner_id)

    async def _read(self, owner_ids: Sequence[UUID]) -> list[Preferences]:
        async with self._database.statement() as tx:
            return await _read(tx, owner_ids)


async def _read(tx: Transaction, owner_ids: Sequence[UUID]) -> list[Preferences]:
    rows = await _sql["get"].rows(tx, owner_ids=list(set(owner_ids)))
    found = {row["owner_id"]: Preferences.model_validate(row["preferences"]) for row in rows}
    return [found.get(owner_id) or Preferences() for owner_id in owner_ids]
