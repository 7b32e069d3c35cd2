"""Reads and writes preferences."""

from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.messages.preferences import Preferences

_sql = load_queries(Path(__file__).with_name("preferences.sql"))


async def preferences_of(tx: Transaction, owner_id: UUID) -> Preferences:
    found = await _sql["get"].value(tx, owner_id=owner_id)
    return Preferences() if found is None else Preferences.model_validate(found)


async def put_preferences(tx: Transaction, owner_id: UUID, preferences: Preferences) -> None:
    await _sql["put"].run(tx, owner_id=owner_id, preferences=preferences.model_dump(mode="json", exclude_none=True))
