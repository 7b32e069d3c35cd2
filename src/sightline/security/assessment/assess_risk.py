"""assess_risk: a closed batch becomes a security event at once, by the rules; a model refines it afterwards, if there is one.

The event, its alerts, its notifications, its live message and the job that refines it are one transaction with the end of the
job, so a kill leaves either all of it or nothing.
"""

from datetime import timedelta
from typing import Any

import structlog

from sightline.contracts.jobs import AssessRisk, RefineRisk
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits, JobQueue
from sightline.live import LiveFeed
from sightline.security.assessment.batch_findings import fetch_findings
from sightline.security.assessment.event_announcer import EventAnnouncer
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.rules import assess_by_rules
from sightline.security.detections import batches_store
from sightline.security.events import events_store
from sightline.security.events.event import Event, created_message
from sightline.security.metrics import SecurityMetrics

log = structlog.get_logger(__name__)


class AssessRiskJob(Job[AssessRisk]):
    payload = AssessRisk
    limits = JobLimits(concurrency=8, time_limit=timedelta(minutes=10))

    def __init__(
        self,
        database: Database,
        jobs: JobQueue,
        live: LiveFeed,
        announcer: EventAnnouncer,
        metrics: SecurityMetrics,
        *,
        refines_with_model: bool,
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._live = live
        self._announcer = announcer
        self._metrics = metrics
        self._refines_with_model = refines_with_model

    async def run(self, payload: AssessRisk, context: JobContext) -> None:
        async with self._database.transaction() as tx:
            batch = await batches_store.need_batch(tx, payload.batch_id)
            if batch.state == "assessed":
                return  # a repetition changes nothing
            findings = await fetch_findings(tx, payload.batch_id)
        async with context.finishing() as tx:
            event = await self._store(tx, findings)
        if event is not None:
            self._metrics.created(event.risk_level, event.camera_id)
            self._metrics.assessed.labels(event.assessor).inc()
            log.info(
                "security.event_created",
                event_id=event.id,
                batch_id=event.batch_id,
                risk_score=event.risk_score,
                assessor=event.assessor,
            )

    async def on_failed(self, tx: Transaction, payload: AssessRisk, error: dict[str, Any]) -> None:
        """The batch is kept with its detections; the job can be retried by hand."""
        await batches_store.settle_batch(tx, payload.batch_id, "failed")

    async def _store(self, tx: Transaction, findings: Findings) -> Event | None:
        # The batch's row is the gate: of two workers that assess it at once, the second waits here and finds it done.
        if not await batches_store.settle_batch(tx, findings.batch_id, "assessed"):
            return None
        event = await events_store.insert_event(tx, findings, assess_by_rules(findings))
        if event is None:
            return None
        await batches_store.note_activity(tx, findings.batch_id, zone=findings.camera.zone)
        await self._announcer.of_new_event(tx, event, findings)
        if self._refines_with_model:
            # The most dangerous events are refined first.
            await self._jobs.enqueue(tx, RefineRisk(batch_id=event.batch_id), priority=event.risk_score)
        sequence = await self._live.append(tx, created_message(event))
        # The row is not visible to others until the commit, so this does not wait while the stream is locked.
        await events_store.set_sequence(tx, event.id, sequence)
        return event
