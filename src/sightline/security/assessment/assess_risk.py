"""assess_risk: a batch becomes a security event by the rules, once; further sightings and its closing revise that event.

A batch of the platform's own cameras is assessed at its first sighting, while it is open; every other batch when it closes. A
model refines the event afterwards, if there is one. The event, its alerts, its notifications, its live message and the job that
refines it are one transaction with the end of the job, so a kill leaves either all of it or nothing.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import structlog

from sightline.contracts.jobs import AssessRisk, EnrichEvent, RefineRisk
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits, JobQueue
from sightline.live import LiveFeed
from sightline.security.assessment.batch_findings import fetch_findings
from sightline.security.assessment.event_announcer import EventAnnouncer
from sightline.security.assessment.event_revision import revise
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.rules import assess_by_rules
from sightline.security.camera import Camera
from sightline.security.detections import batches_store
from sightline.security.events import events_store
from sightline.security.events.event import Event, created_message, updated_message
from sightline.security.events.history import record
from sightline.security.metrics import SecurityMetrics

ENRICH_PRIORITY = -10

OnEventOver = Callable[[Transaction, Event, Camera], Awaitable[None]]
"""Called in the transaction that assesses an event as a whole, since its batch is closed."""

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
        reads_pictures: bool = False,
        on_over: OnEventOver | None = None,
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._live = live
        self._announcer = announcer
        self._metrics = metrics
        self._refines_with_model = refines_with_model
        self._reads_pictures = reads_pictures
        self._on_over = on_over

    async def run(self, payload: AssessRisk, context: JobContext) -> None:
        async with context.finishing() as tx:
            created, revised = await self._assess(tx, payload.batch_id)
        if created is not None:
            self._metrics.created(created.risk_level, created.camera_id)
            self._metrics.assessed.labels(created.assessor).inc()
            log.info(
                "security.event_created",
                event_id=created.id,
                batch_id=created.batch_id,
                risk_score=created.risk_score,
                assessor=created.assessor,
            )
        elif revised is not None:
            self._metrics.revised.inc()
            log.info(
                "security.event_revised",
                event_id=revised.id,
                batch_id=revised.batch_id,
                risk_score=revised.risk_score,
                version=revised.version,
            )

    async def on_failed(self, tx: Transaction, payload: AssessRisk, error: dict[str, Any]) -> None:
        """The batch is kept with its detections; the job can be retried by hand. An open batch is assessed when it closes."""
        await batches_store.settle_batch(tx, payload.batch_id, "failed")

    async def _assess(self, tx: Transaction, batch_id: str) -> tuple[Event | None, Event | None]:
        """The event if it is new, or else its new version. A repetition changes nothing."""
        # The batch's row is the gate: of two workers that assess it at once the second waits here, as sightings that join it do.
        batch = await batches_store.lock_batch(tx, batch_id)
        is_closing = batch.state in ("closed", "failed")
        findings = await fetch_findings(tx, batch_id)
        event = await events_store.lock_event_of_batch(tx, batch_id)
        if event is None and not is_closing and batch.state != "open":
            return None, None  # archived or purged
        if is_closing:
            await batches_store.settle_batch(tx, batch_id, "assessed")
            await batches_store.note_activity(tx, batch_id, zone=findings.camera.zone)
        if event is None:
            created = await self._create(tx, findings, is_closing=is_closing)
            if created is not None and is_closing:
                await self._note_over(tx, created, findings)
            return created, None
        return None, await self._revise(tx, event, findings, is_closing=is_closing)

    async def _create(self, tx: Transaction, findings: Findings, *, is_closing: bool) -> Event | None:
        event = await events_store.insert_event(tx, findings, assess_by_rules(findings))
        if event is None:
            return None
        await record(tx, event.id, "created", risk_score=event.risk_score)
        await self._announcer.of_new_event(tx, event, findings)
        if is_closing:
            await self._refine_later(tx, event)
        if event.picture_key is not None:
            await self._enrich_later(tx, event)
        sequence = await self._live.append(tx, created_message(event))
        # The row is not visible to others until the commit, so this does not wait while the stream is locked.
        await events_store.set_sequence(tx, event.id, sequence)
        return event

    async def _revise(self, tx: Transaction, event: Event, findings: Findings, *, is_closing: bool) -> Event | None:
        revision = revise(event, findings, assess_by_rules(findings), is_final=is_closing)
        revised = event
        if revision.is_change:
            revised = await events_store.revise_event(
                tx, event, findings, revision.assessment, is_new_version=revision.is_new_version
            )
        if revision.is_new_version:
            await record(tx, event.id, "revised", version=revised.version, risk_score=revised.risk_score)
            await self._announcer.of_raised_event(tx, revised, findings, earlier_level=event.risk_level)
        if is_closing:
            await self._refine_later(tx, revised)
            await self._note_over(tx, revised, findings)
        if revised.picture_key not in (None, event.picture_key) and (is_closing or event.picture_key is None):
            await self._enrich_later(tx, revised)
        if not revision.is_new_version:
            return None
        await self._live.append(tx, updated_message(revised))
        return revised

    async def _note_over(self, tx: Transaction, event: Event, findings: Findings) -> None:
        if self._on_over is not None:
            await self._on_over(tx, event, findings.camera)

    async def _refine_later(self, tx: Transaction, event: Event) -> None:
        if self._refines_with_model and event.is_refinable:
            # The most dangerous events are refined first.
            await self._jobs.enqueue(tx, RefineRisk(batch_id=event.batch_id), priority=event.risk_score)

    async def _enrich_later(self, tx: Transaction, event: Event) -> None:
        if self._reads_pictures and event.resolved_at is None:
            await self._jobs.enqueue(tx, EnrichEvent(batch_id=event.batch_id), priority=ENRICH_PRIORITY)
