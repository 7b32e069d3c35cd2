"""What the health of a process is told by: database, bus and models."""

from sightline.bus import Bus, check_round_trip
from sightline.db import Database, Listener
from sightline.errors import BackendUnavailable
from sightline.vision import Detector


async def check_vision(detector: Detector | None) -> str:
    """Never fails the whole: without a detector everything else does its work."""
    if detector is None:
        return "object detection is not installed"
    if (problem := detector.problem) is not None:
        return f"objects cannot be detected: {problem}"
    return f"objects are detected by {' and '.join(card.name for card in detector.models)}"


async def check_database(database: Database) -> None:
    async with database.transaction() as tx:
        if await tx.fetchval("SELECT to_regclass('public.schema_migrations')") is None:
            raise BackendUnavailable("database", "the database has no tables yet; run `sightline migrate`")


async def check_bus(bus: Bus, database: Database, listener: Listener) -> None:
    await bus.check()
    await check_round_trip(database, listener)
