"""Which events exist, for parts that keep something as long as its event."""

from collections.abc import Sequence
from pathlib import Path

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("known.sql"))


async def known_event_ids(tx: Transaction, ids: Sequence[int]) -> set[int]:
    """Those of these events that exist, live or archived."""
    return {row["id"] for row in await _sql["known_ids"].rows(tx, ids=list(ids))}
