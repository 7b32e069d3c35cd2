"""The rows that retention moves and removes, a lot at a time."""

from collections.abc import Sequence
from pathlib import Path

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("retention.sql"))


async def archive_events(tx: Transaction, *, days: int, limit: int) -> int:
    return await _sql["archive_events"].run(tx, days=days, limit=limit)


async def count_to_archive(tx: Transaction, *, days: int) -> int:
    return int(await _sql["count_to_archive"].value(tx, days=days))


async def purge_archive(tx: Transaction, *, days: int, limit: int) -> int:
    return int(await _sql["purge_archive"].value(tx, days=days, limit=limit))


async def count_to_purge(tx: Transaction, *, days: int) -> int:
    return int(await _sql["count_to_purge"].value(tx, days=days))


async def old_detections(tx: Transaction, *, days: int, limit: int) -> list[tuple[int, str | None]]:
    """Ids and keys of pictures."""
    return [(row["id"], row["image_key"]) for row in await _sql["old_detections"].rows(tx, days=days, limit=limit)]


async def count_old_detections(tx: Transaction, *, days: int, event_days: int) -> int:
    return int(await _sql["count_old_detections"].value(tx, days=days, event_days=event_days))


async def delete_detections(tx: Transaction, ids: Sequence[int]) -> int:
    return int(await _sql["delete_detections"].value(tx, ids=list(ids)))


async def orphaned_pictures(tx: Transaction, keys: Sequence[str]) -> list[str]:
    """Those that neither a detection nor an event names."""
    return [row["key"] for row in await _sql["orphaned_pictures"].rows(tx, keys=list(keys))]


async def forget_activity(tx: Transaction, *, days: int) -> int:
    return await _sql["forget_activity"].run(tx, days=days)
