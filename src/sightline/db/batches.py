"""Deleting many rows in short transactions, so that other transactions do not wait for long."""

from collections.abc import Awaitable, Callable

from sightline.db.pool import Database, Transaction


async def delete_in_batches(
    database: Database, delete: Callable[[Transaction, int], Awaitable[int]], *, batch: int
) -> int:
    """Calls `delete(tx, limit)` in a transaction of its own until it deletes fewer rows than the limit; returns how many in all."""
    removed = 0
    while True:
        async with database.transaction() as tx:
            part = await delete(tx, batch)
        removed += part
        if part < batch:
            return removed
