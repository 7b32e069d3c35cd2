"""Builds the parts of the security flow."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from prometheus_client import CollectorRegistry

from sightline.bus import Sender
from sightline.db import Database
from sightline.jobs import JobQueue
from sightline.live import LiveFeed
from sightline.objects import ObjectStore
from sightline.security.alerts.alerts import Alerts
from sightline.security.alerts.chain import EscalationChain
from sightline.security.alerts.watch import AlertWatch
from sightline.security.assessment.assess_risk import AssessRiskJob, OnEventOver
from sightline.security.assessment.event_announcer import EventAnnouncer
from sightline.security.assessment.model_assessor import ModelAssessor
from sightline.security.assessment.model_client import open_model
from sightline.security.assessment.refine_risk import RefineRiskJob
from sightline.security.assessment.slots import InferenceSlots
from sightline.security.detections.batch_closer import BatchCloser
from sightline.security.detections.incoming import IncomingDetections
from sightline.security.events.handling import Handling
from sightline.security.events.lifecycle import Lifecycle
from sightline.security.events.notifications import SecurityNotifications
from sightline.security.metrics import SecurityMetrics
from sightline.security.retention import Cleaner
from sightline.security.settings import SecuritySettings

SLOT_MARGIN_S = 30.0


@dataclass(frozen=True, slots=True)
class OpenSecurity:
    settings: SecuritySettings
    incoming: IncomingDetections
    lifecycle: Lifecycle
    handling: Handling
    assess_risk: AssessRiskJob
    refine_risk: RefineRiskJob
    closer: BatchCloser
    alert_watch: AlertWatch
    cleaner: Cleaner
    metrics: SecurityMetrics


@asynccontextmanager
async def open_security(
    settings: SecuritySettings,
    *,
    database: Database,
    jobs: JobQueue,
    live: LiveFeed,
    sender: Sender,
    objects: ObjectStore,
    page_url: str,
    registry: CollectorRegistry | None,
    on_event_over: OnEventOver | None = None,
) -> AsyncIterator[OpenSecurity]:
    metrics = SecurityMetrics(registry)
    notifications = SecurityNotifications(sender, page_url=page_url)
    model = open_model(settings)
    announcer = EventAnnouncer(Alerts(notifications, metrics), notifications)
    refiner: ModelAssessor | None = None
    if model is not None:
        slots = InferenceSlots(
            database,
            slots=settings.model_slots,
            lease_s=settings.model_timeout_s + SLOT_MARGIN_S,
            waited=metrics.slot_seconds.observe,
        )
        refiner = ModelAssessor(model, slots, settings, metrics)
    try:
        yield OpenSecurity(
            settings=settings,
            incoming=IncomingDetections(database, jobs, objects, settings, metrics),
            lifecycle=Lifecycle(database, live),
            handling=Handling(database, live),
            assess_risk=AssessRiskJob(
                database,
                jobs,
                live,
                announcer,
                metrics,
                refines_with_model=refiner is not None,
                reads_pictures=settings.read_picture_text,
                on_over=on_event_over,
            ),
            refine_risk=RefineRiskJob(database, live, refiner, announcer, metrics),
            closer=BatchCloser(database, jobs, settings),
            alert_watch=AlertWatch(
                database, live, notifications, metrics, EscalationChain(database, live, notifications)
            ),
            cleaner=Cleaner(database, objects, settings, metrics),
            metrics=metrics,
        )
    finally:
        if model is not None:
            await model.close()
