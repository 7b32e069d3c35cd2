"""Counting of what is used: requests in memory until they are written, and changes added up to days.

Everything else is counted by the database, in the statement that makes the change (migration 0110).
"""

from collections import Counter
from pathlib import Path
from uuid import UUID

import structlog

from sightline.db import Database, Transaction, load_queries
from sightline.supervisor import Every

WRITE_EVERY_S = 10.0
ADD_UP_EVERY_S = 30.0
_CHANGES_AT_ONCE = 10_000
_API_REQUESTS = "api_requests"

log = structlog.get_logger(__name__)
_sql = load_queries(Path(__file__).with_name("usage.sql"))


class UsageCounters:
    """Counts requests by owner. A process that is killed loses those of the last seconds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._requests: Counter[UUID] = Counter()

    def service(self) -> Every:
        return Every("usage-counters", WRITE_EVERY_S, self.write)

    def adding_up(self) -> Every:
        return Every("usage-days", ADD_UP_EVERY_S, self.add_up)

    def count_request(self, owner_id: UUID) -> None:
        self._requests[owner_id] += 1

    async def write(self) -> None:
        counted, self._requests = self._requests, Counter()
        if not counted:
            return
        try:
            async with self._database.transaction() as tx:
                await _sql["add_changes"].run(
                    tx,
                    owner_ids=list(counted),
                    measures=[_API_REQUESTS] * len(counted),
                    amounts=list(counted.values()),
                )
        except BaseException:
            self._requests.update(counted)
            raise

    async def close(self) -> None:
        """Writes what was counted since the last time, if the database is there."""
        try:
            await self.write()
        except Exception as error:
            log.warning("usage.not_written", requests=self._requests.total(), reason=str(error))

    async def add_up(self) -> None:
        while True:
            async with self._database.transaction() as tx:
                if await add_up(tx) < _CHANGES_AT_ONCE:
                    return


async def add_up(tx: Transaction, *, limit: int = _CHANGES_AT_ONCE) -> int:
    """Adds changes to their days; returns how many."""
    return int(await _sql["add_up"].value(tx, limit=limit))
