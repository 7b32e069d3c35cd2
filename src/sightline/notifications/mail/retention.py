"""Removal of old emails."""

from datetime import timedelta

import structlog

from sightline.db import Database
from sightline.notifications.mail import store
from sightline.supervisor import Every

SWEEP_EVERY_S = 3600.0
BATCH = 1000

log = structlog.get_logger(__name__)


class MailRetention:
    def __init__(self, database: Database, *, keep: timedelta) -> None:
        self._database = database
        self._keep = keep

    def service(self) -> Every:
        return Every("mail-retention", SWEEP_EVERY_S, self.sweep)

    async def sweep(self, *, batch: int = BATCH) -> int:
        """Removes in batches to keep transactions short; returns how many."""
        removed = 0
        while True:
            async with self._database.transaction() as tx:
                part = await store.sweep(tx, keep=self._keep, limit=batch)
            removed += part
            if part < batch:
                break
        if removed:
            log.info("mails.swept", mails=removed)
        return removed
