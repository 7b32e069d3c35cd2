"""Stored messages and bytes of each account, measured at intervals and counted in between."""

from collections import Counter
from pathlib import Path

from sightline.bus.limits import BusRefusal
from sightline.db import Database, load_queries
from sightline.supervisor import Every

MEASURE_EVERY_S = 15.0

_sql = load_queries(Path(__file__).with_name("client_queries.sql"))


class QuotaMeter:
    """Refuses sends of accounts that store too much. What is deleted counts at the next measurement."""

    def __init__(self, database: Database, *, max_messages: int, max_bytes: int) -> None:
        self._database = database
        self._max_messages = max_messages
        self._max_bytes = max_bytes
        self._messages: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()

    def service(self) -> Every:
        return Every("bus-quota", MEASURE_EVERY_S, self.measure)

    async def measure(self) -> None:
        async with self._database.transaction() as tx:
            rows = await _sql["stored_by_account"].rows(tx)
        self._messages = Counter({row["account_id"]: row["messages"] for row in rows})
        self._bytes = Counter({row["account_id"]: row["bytes"] for row in rows})

    def check(self, account_id: str, count: int, size: int) -> None:
        if self._messages[account_id] + count > self._max_messages or self._bytes[account_id] + size > self._max_bytes:
            raise BusRefusal(
                f"This account may store {self._max_messages} messages and {self._max_bytes} bytes in its queues. "
                "Receive and delete messages, then try again.",
                "OverLimit",
            )
        self._messages[account_id] += count
        self._bytes[account_id] += size
