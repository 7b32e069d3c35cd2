"""Removal of jobs that ended long ago, with their history."""

from pathlib import Path

from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("purge.sql"))


async def purge_jobs(tx: Transaction, *, failed: bool, days: float, limit: int) -> int:
    """Removes up to `limit` jobs that are done, or failed for good; returns how many."""
    return await _sql["purge_jobs"].run(tx, failed=failed, days=days, limit=limit)


async def count_purgeable(tx: Transaction, *, failed: bool, days: float) -> int:
    return int(await _sql["count_purgeable"].value(tx, failed=failed, days=days))
