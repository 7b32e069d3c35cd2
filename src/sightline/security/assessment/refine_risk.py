"""refine_risk: a model refines the assessment of an event that the rules have created.

The order is document 003's: fetch, enrich, prompt, claim a slot, call the model with retries, release the slot, parse, store,
notify. No transaction is open while the model works. The new version of the event, the alerts that match only now and the live
message commit together with the end of the job.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Protocol

import structlog

from sightline.contracts.jobs import RefineRisk
from sightline.db import Database, Transaction
from sightline.jobs import Job, JobContext, JobLimits
from sightline.live import LiveFeed
from sightline.security.assessment.assessor import Assessment, without_model
from sightline.security.assessment.batch_findings import fetch_findings
from sightline.security.assessment.enrichment import ENRICHERS, Enrich, gather_notes
from sightline.security.assessment.event_announcer import EventAnnouncer
from sightline.security.assessment.event_revision import with_notes
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.rules import assess_by_rules
from sightline.security.events import events_store
from sightline.security.events.event import Event, updated_message
from sightline.security.events.history import record
from sightline.security.metrics import SecurityMetrics

log = structlog.get_logger(__name__)


class Refiner(Protocol):
    async def refine(self, findings: Findings, by_rules: Assessment) -> Assessment: ...


class RefineRiskJob(Job[RefineRisk]):
    payload = RefineRisk
    limits = JobLimits(concurrency=8, time_limit=timedelta(hours=1))

    def __init__(
        self,
        database: Database,
        live: LiveFeed,
        refiner: Refiner | None,
        announcer: EventAnnouncer,
        metrics: SecurityMetrics,
        *,
        enrichers: Sequence[Enrich] = ENRICHERS,
    ) -> None:
        """Without a refiner (the model was removed from the settings) events keep the rules' assessment."""
        self._database = database
        self._live = live
        self._refiner = refiner
        self._announcer = announcer
        self._metrics = metrics
        self._enrichers = enrichers

    async def run(self, payload: RefineRisk, context: JobContext) -> None:
        if self._refiner is None:
            return
        async with self._database.transaction() as tx:
            event = await events_store.event_of_batch(tx, payload.batch_id)
            if event is None or not event.is_refinable:
                return  # refined or resolved already, or purged
            findings = await fetch_findings(tx, payload.batch_id)
        # What is usual may have changed since; the event's own score decides how far the model may go.
        by_rules = replace(
            assess_by_rules(findings), score=event.risk_score, summary=event.summary, reasoning=event.reasoning
        )
        notes = [*event.notes, *await gather_notes(findings, self._enrichers)]
        findings = replace(findings, notes=notes)
        context.progress(0.3, f"{len(findings.detections)} detections")
        assessment = await self._refiner.refine(findings, by_rules)
        context.progress(0.9, f"score {assessment.score}")
        async with context.finishing() as tx:
            refined = await self._store(tx, event, findings, assessment)
        if refined is not None:
            self._metrics.assessed.labels(refined.assessor).inc()
            log.info(
                "security.event_refined",
                event_id=refined.id,
                batch_id=refined.batch_id,
                risk_score=refined.risk_score,
                rules_score=event.risk_score,
                assessor=refined.assessor,
            )

    async def on_failed(self, tx: Transaction, payload: RefineRisk, error: dict[str, Any]) -> None:
        """The event stays as the rules assessed it, and says that the model failed."""
        event = await events_store.event_of_batch(tx, payload.batch_id)
        if event is not None and event.is_refinable:
            findings = await fetch_findings(tx, payload.batch_id)
            by_rules = Assessment(event.risk_score, event.summary, event.reasoning)
            await self._store(tx, event, findings, without_model(by_rules))

    async def _store(self, tx: Transaction, event: Event, findings: Findings, assessment: Assessment) -> Event | None:
        # What was read in the picture in the meantime stays in the reasoning.
        current = await events_store.need_event(tx, event.id)
        assessment = replace(assessment, reasoning=with_notes(assessment.reasoning, current))
        if not await events_store.refine_event(tx, event.id, assessment):
            return None
        refined = await events_store.need_event(tx, event.id)
        await record(
            tx, event.id, "refined", version=refined.version, risk_score=refined.risk_score, assessor=refined.assessor
        )
        if refined.risk_score > event.risk_score:
            await self._announcer.of_raised_event(tx, refined, findings, earlier_level=event.risk_level)
        await self._live.append(tx, updated_message(refined))
        return refined
