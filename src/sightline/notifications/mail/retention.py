"""Removal of old emails."""

from datetime import timedelta

import structlog

from sightline.db import Database, delete_in_batches
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
        """Returns how many emails were removed."""
        removed = await delete_in_batches(
            self._database, lambda tx, limit: store.sweep(tx, keep=self._keep, limit=limit), batch=batch
        )
        if removed:
            log.info("mails.swept", mails=removed)
        return removed
