"""Retention of the live feed: removes old messages, and devices that have not connected since."""

import structlog

from sightline.db import Database, delete_in_batches
from sightline.live import store
from sightline.supervisor import Every

SWEEP_EVERY_S = 600.0
MAX_ROWS_PER_SWEEP = 5000

log = structlog.get_logger(__name__)


class LiveSweep:
    def __init__(self, database: Database, *, retention_days: int) -> None:
        self._database = database
        self._days = retention_days

    def service(self) -> Every:
        return Every("live-sweep", SWEEP_EVERY_S, self.sweep)

    async def sweep(self) -> int:
        """Returns how many messages were removed."""
        removed = await delete_in_batches(
            self._database, lambda tx, limit: store.sweep(tx, days=self._days, limit=limit), batch=MAX_ROWS_PER_SWEEP
        )
        if removed:
            log.info("live.retention_swept", messages=removed)
        return removed
