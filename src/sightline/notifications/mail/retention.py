"""Removes mails that were kept long enough."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import structlog

from sightline.db import Database
from sightline.notifications.mail import store
from sightline.timing import repeat

SWEEP_EVERY_S = 3600.0
BATCH = 1000

log = structlog.get_logger(__name__)


class MailRetention:
    name = "mail-retention"

    def __init__(self, database: Database, *, keep: timedelta, every_s: float = SWEEP_EVERY_S) -> None:
        self._database = database
        self._keep = keep
        self._every_s = every_s

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await repeat(stop, self._every_s, self.sweep)

    async def sweep(self, *, batch: int = BATCH) -> int:
        """In batches, so that no transaction is long; says how many went."""
        removed = 0
        while True:
            async with self._database.transaction() as tx:
                part = await store.sweep(tx, keep=self._keep, most=batch)
            removed += part
            if part < batch:
                break
        if removed:
            log.info("mails.swept", mails=removed)
        return removed
