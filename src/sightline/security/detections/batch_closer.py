"""The batch closer: closes batches that are due and enqueues their assessment."""

import structlog

from sightline.contracts.jobs import AssessRisk
from sightline.db import Database
from sightline.jobs import JobQueue, NewJob
from sightline.security.detections import batches_store as store
from sightline.security.settings import SecuritySettings
from sightline.supervisor import Every

CHECK_EVERY_S = 1.0
MAX_BATCHES_PER_CLOSE = 200

log = structlog.get_logger(__name__)


class BatchCloser:
    """Any number may run: each batch is closed by one of them."""

    def __init__(self, database: Database, jobs: JobQueue, settings: SecuritySettings) -> None:
        self._database = database
        self._jobs = jobs
        self._settings = settings

    def service(self) -> Every:
        return Every("batch-closer", CHECK_EVERY_S, self.close_all_due)

    async def close_due(self) -> list[str]:
        """Closes and enqueues in one transaction; a kill in between leaves the batches open for the next look."""
        async with self._database.transaction() as tx:
            closed = await store.close_due(
                tx, age_s=self._settings.batch_age_s, idle_s=self._settings.batch_idle_s, limit=MAX_BATCHES_PER_CLOSE
            )
            await self._jobs.enqueue_many(tx, [NewJob(AssessRisk(batch_id=batch_id)) for batch_id, _ in closed])
        for batch_id, reason in closed:
            log.info("security.batch_closed", batch_id=batch_id, reason=reason)
        return [batch_id for batch_id, _ in closed]

    async def close_all_due(self) -> None:
        async with self._database.statement() as tx:
            if not await store.is_any_open(tx):
                return
        while len(await self.close_due()) == MAX_BATCHES_PER_CLOSE:
            pass
