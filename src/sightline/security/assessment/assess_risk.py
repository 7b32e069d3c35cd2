"""assess_risk: a closed batch becomes a security event, in the order of document 003.

Fetch, enrich, assess (with a slot and retries), store, notify. No transaction is open while a model works; the event, alerts and
its notifications are one transaction with the end of the job, so a kill leaves either all of it or nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Protocol

import structlog

from sightline.contracts.jobs import AssessRisk
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits
from sightline.live import LiveFeed
from sightline.security.alerts.alerts import Alerts
from sightline.security.alerts.rule import EventWithDetections
from sightline.security.assessment.assessor import Assessment
from sightline.security.assessment.enrichment import ENRICHERS, Enrich, gather_notes
from sightline.security.assessment.findings import CROSS_CAMERA_SPAN, Findings
from sightline.security.assessment.rules import assess_by_rules
from sightline.security.cameras_store import need_camera, zones_of
from sightline.security.detections import batches_store
from sightline.security.events import events_store
from sightline.security.events.event import Event, created_message
from sightline.security.events.notifications import SecurityNotifications
from sightline.security.metrics import SecurityMetrics

log = structlog.get_logger(__name__)


class RiskAssessor(Protocol):
    async def assess(self, findings: Findings) -> Assessment: ...


class RuleAssessor:
    async def assess(self, findings: Findings) -> Assessment:
        return assess_by_rules(findings)


class AssessRiskJob(Job[AssessRisk]):
    payload = AssessRisk
    limits = JobLimits(concurrency=8, time_limit=timedelta(hours=1))

    def __init__(
        self,
        database: Database,
        live: LiveFeed,
        assessor: RiskAssessor,
        alerts: Alerts,
        notifications: SecurityNotifications,
        metrics: SecurityMetrics,
        *,
        enrichers: Sequence[Enrich] = ENRICHERS,
    ) -> None:
        self._database = database
        self._live = live
        self._assessor = assessor
        self._alerts = alerts
        self._notifications = notifications
        self._metrics = metrics
        self._enrichers = enrichers

    async def run(self, payload: AssessRisk, context: JobContext) -> None:
        findings = await self._fetch(payload.batch_id)
        if findings is None:
            return  # assessed already; a repetition changes nothing
        notes = await gather_notes(findings, self._enrichers)
        findings = replace(findings, notes=notes)
        context.progress(0.3, f"{len(findings.detections)} detections")
        assessment = await self._assessor.assess(findings)
        context.progress(0.9, f"score {assessment.score}")
        async with context.finishing() as tx:
            event = await self._store(tx, findings, assessment)
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

    async def _fetch(self, batch_id: str) -> Findings | None:
        async with self._database.transaction() as tx:
            batch = await batches_store.need_batch(tx, batch_id)
            if batch.state == "assessed":
                return None
            camera = await need_camera(tx, batch.camera_id)
            detections = await batches_store.detections_of(tx, batch_id)
            kinds = sorted({found.object_type for found in detections})
            return Findings(
                batch_id=batch_id,
                camera=camera,
                detections=detections,
                started_at=batch.started_at,
                ended_at=batch.ended_at,
                zones=await zones_of(tx, camera.camera_id),
                baselines=await batches_store.baselines_of(tx, camera, batch.started_at, kinds),
                elsewhere=await batches_store.seen_elsewhere(
                    tx, camera, since=batch.started_at, until=batch.ended_at, span=CROSS_CAMERA_SPAN
                ),
            )

    async def _store(self, tx: Transaction, findings: Findings, assessment: Assessment) -> Event | None:
        # The batch's row is the gate: of two that assess it at once, the second waits here and finds it done.
        if not await batches_store.settle_batch(tx, findings.batch_id, "assessed"):
            return None
        event = await events_store.insert_event(tx, findings, assessment)
        if event is None:
            return None
        await batches_store.note_activity(tx, findings.batch_id, zone=findings.camera.zone)
        thumbnail = _thumbnail(findings)
        zones = {zone.name for zone in findings.touched_zones()}
        await self._alerts.raise_for(
            tx, EventWithDetections(event, findings.detections, zones), thumbnail_key=thumbnail
        )
        if event.risk_level == "critical":
            await self._notifications.publish(
                tx,
                event,
                user_id=event.owner_id,
                user_email=findings.camera.owner_email,
                level=event.risk_level,
                thumbnail_key=thumbnail,
            )
        sequence = await self._live.append(tx, created_message(event))
        # The row is not visible to others until the commit, so this does not wait while the stream is locked.
        await events_store.set_sequence(tx, event.id, sequence)
        return event


def _thumbnail(findings: Findings) -> str | None:
    """The image of the detection with the highest confidence that has one."""
    pictured = [found for found in findings.detections if found.image_key is not None]
    return max(pictured, key=lambda found: found.confidence).image_key if pictured else None
