"""Roles: which services each kind of process runs. A feature adds its jobs, consumers and schedules here, a line each."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Literal
from uuid import UUID

from sightline.access import AuditUpkeep
from sightline.bootstrap import Platform, read_webhook_secret
from sightline.bus import EndpointWorker, alert_queue, message_queue
from sightline.contracts.jobs import Retention
from sightline.db import Transaction
from sightline.jobs import (
    ClaimedJob,
    ForkServer,
    Job,
    JobDepthMonitor,
    OnJobFailed,
    PeriodicJob,
    Scheduler,
    Worker,
    call_on_failed,
    confinement,
    need_confinement,
)
from sightline.live import LiveSweep
from sightline.media import MediaSettings
from sightline.media.clips import ClipExpiry, ClipGenerateJob
from sightline.media.sampling import SampleJob
from sightline.media.stream import TranscodeJob
from sightline.messages import (
    DeadLetterCount,
    MessageRetention,
    MessageScheduler,
    MessageWorker,
    PreferredLanguage,
    due_consumer,
    event_notification_consumer,
)
from sightline.messages.schedules import EXTERNAL_CLOCK_GRACE
from sightline.notifications import MailMetrics, MailRetention, NotificationWorker, Picture
from sightline.objects import job_log_key
from sightline.security import BroadcastMarks, RetentionJob
from sightline.supervisor import Service
from sightline.techniques import AnalyzeJob, AnalyzerParts, build_analyzer, technique_consumer
from sightline.text import OcrJob, SegmentIndexJob, models_directory
from sightline.uploads import AbandonedUploads, BucketScanner, split_consumer, storage_consumer
from sightline.worker_services import WorkerChoice, chosen_jobs, external_worker_services

LARGEST_PICTURE_BYTES = 2_000_000  # a server of ntfy takes 2 MB from anybody

Role = Literal["api", "work", "consume", "schedule"]


def notification_worker(platform: Platform) -> NotificationWorker:
    return NotificationWorker(
        platform.settings.notifications,
        queues=platform.bus,
        database=platform.database,
        languages=PreferredLanguage(platform.settings.notifications.language),
        addresses=platform.addresses,
        bus_metrics=platform.open_bus.metrics,
        metrics=MailMetrics(platform.registry),
    )


def message_worker(platform: Platform, queue: str) -> MessageWorker:
    settings = platform.settings

    async def load_picture(key: str) -> Picture | None:
        stored = await platform.objects.head(key)
        if stored is None or stored.size > LARGEST_PICTURE_BYTES:
            return None
        return Picture(key.rpartition("/")[2], await platform.objects.get(key))

    return MessageWorker(
        queue,
        settings=settings.messages,
        push=settings.push,
        mail=settings.notifications,
        webhook_secret=read_webhook_secret(settings),
        store=platform.open_messages.store,
        bus=platform.bus,
        database=platform.database,
        load_picture=load_picture,
        addresses=platform.addresses,
        bus_metrics=platform.open_bus.metrics,
        metrics=platform.open_messages.metrics,
    )


def message_processor(platform: Platform) -> Service:
    return message_worker(platform, message_queue(platform.settings.bus.stage))


def alert_processor(platform: Platform) -> Service:
    return message_worker(platform, alert_queue(platform.settings.bus.stage))


def event_notifications(platform: Platform) -> Service:
    return event_notification_consumer(
        platform.bus,
        platform.database,
        platform.open_messages.event_notifications,
        platform.open_messages.store,
        page_url=platform.public_url,
        metrics=platform.open_bus.metrics,
    )


def due_schedules(platform: Platform) -> Service:
    return due_consumer(
        platform.bus, platform.database, platform.open_messages.messages, metrics=platform.open_bus.metrics
    )


def message_services(platform: Platform) -> list[Service]:
    stage = platform.settings.bus.stage
    opened = platform.open_messages
    return [
        *opened.services,
        MessageRetention(opened.store).service(),
        MessageScheduler(
            platform.database,
            opened.messages,
            hello_every_h=platform.settings.messages.hello_every_h,
            channel=platform.settings.messages.channel,
            external_clock_grace=EXTERNAL_CLOCK_GRACE
            if platform.settings.messages.clock == "eventbridge"
            else timedelta(),
        ).service(),
        DeadLetterCount(platform.bus, (message_queue(stage), alert_queue(stage)), opened.metrics).service(),
    ]


def storage_events(platform: Platform) -> Service:
    return storage_consumer(
        platform.bus,
        platform.database,
        platform.objects,
        platform.completion,
        scanner(platform),
        platform.open_bus.metrics,
    )


def split_messages(platform: Platform) -> Service:
    return split_consumer(platform.bus, platform.database, platform.jobs, platform.videos, platform.open_bus.metrics)


def analyze(platform: Platform) -> AnalyzeJob:
    parts = AnalyzerParts(platform.settings.techniques, platform.objects, platform.registry)
    return AnalyzeJob(
        platform.database, platform.objects, platform.bus, choose=lambda name: build_analyzer(name, parts)
    )


def assess_risk(platform: Platform) -> Job[Any]:
    return platform.security.assess_risk


def refine_risk(platform: Platform) -> Job[Any]:
    return platform.security.refine_risk


def retention(platform: Platform) -> RetentionJob:
    return RetentionJob(platform.security.cleaner)


def daily_retention(platform: Platform) -> PeriodicJob:
    settings = platform.settings.security
    return PeriodicJob("retention", settings.retention_cron, lambda _: Retention(), zone=settings.retention_zone)


def technique_events(platform: Platform) -> Service:
    return technique_consumer(platform.bus, platform.database, platform.live, platform.open_bus.metrics)


def scanner(platform: Platform) -> BucketScanner:
    return BucketScanner(platform.database, platform.objects, platform.completion, platform.settings.uploads)


def abandoned_uploads(platform: Platform) -> Service:
    return AbandonedUploads(
        platform.database,
        platform.objects,
        platform.videos,
        platform.completion,
        idle=timedelta(hours=platform.settings.uploads.abandoned_after_h),
        complete_after=timedelta(seconds=platform.settings.uploads.complete_after_s),
    ).service()


def segment_index(platform: Platform) -> SegmentIndexJob:
    return SegmentIndexJob(platform.videos, platform.settings.text)


def transcode(platform: Platform) -> TranscodeJob:
    return TranscodeJob(
        database=platform.database,
        objects=platform.objects,
        jobs=platform.jobs,
        videos=platform.videos,
        scratch=platform.scratch,
        settings=platform.settings.media,
    )


def sample(platform: Platform) -> SampleJob:
    return SampleJob(
        database=platform.database,
        objects=platform.objects,
        jobs=platform.jobs,
        videos=platform.videos,
        scratch=platform.scratch,
        settings=platform.settings.media,
        languages=platform.settings.text.languages,
    )


def ocr(platform: Platform) -> OcrJob:
    return OcrJob(
        database=platform.database,
        objects=platform.objects,
        jobs=platform.jobs,
        videos=platform.videos,
        scratch=platform.scratch,
        settings=platform.settings.text,
        models=models_directory(platform.settings.state_dir),
        may_be_unconfined=platform.settings.media.allow_unconfined,
    )


def clip_generate(platform: Platform) -> ClipGenerateJob:
    return ClipGenerateJob(
        database=platform.database,
        objects=platform.objects,
        scratch=platform.scratch,
        settings=platform.settings.media,
    )


def audit_upkeep(platform: Platform) -> Service:
    days = platform.settings.audit.retention_days
    keep = timedelta(days=days) if days else None
    return AuditUpkeep(platform.audit, platform.database, keep=keep).service()


def live_relay(platform: Platform) -> list[Service]:
    make = platform.live_transport.relay
    return [] if make is None else [make(platform.database, platform.listener).service()]


JOBS: dict[str, Callable[[Platform], Job[Any]]] = {
    "transcode": transcode,
    "sample": sample,
    "ocr": ocr,
    "segment_index": segment_index,
    "clip_generate": clip_generate,
    "analyze": analyze,
    "assess_risk": assess_risk,
    "refine_risk": refine_risk,
    "retention": retention,
}
"""What builds the job of each type."""
CONSUMERS: tuple[Callable[[Platform], Service], ...] = (
    storage_events,
    split_messages,
    notification_worker,
    message_processor,
    alert_processor,
    event_notifications,
    due_schedules,
    technique_events,
)
SCHEDULES: tuple[Callable[[Platform], PeriodicJob], ...] = (daily_retention,)


async def _check_media_sandbox(settings: MediaSettings) -> str:
    """How work on untrusted files is confined here; sick where it is refused."""
    found = await asyncio.to_thread(confinement)
    await asyncio.to_thread(need_confinement, may_be_unconfined=settings.allow_unconfined)
    return found.level


def endpoint_deliveries(platform: Platform) -> list[Service]:
    """Deliveries to the endpoints of clients; AWS does that itself."""
    opened = platform.open_bus
    if opened.registry is None:
        return []
    worker = EndpointWorker(
        opened.senders,
        bus=platform.bus,
        database=platform.database,
        names=opened.registry.names,
        metrics=opened.metrics,
        envelope=None if platform.notification_writer is None else platform.notification_writer.write_text,
    )
    return [worker.consumer()]


def services_of_every_process(platform: Platform) -> list[Service]:
    """What every process runs once, whatever its roles."""
    registry = platform.open_bus.registry
    return [platform.listener, *([] if registry is None else [registry.service(platform.listener)])]


def services_of(role: Role, platform: Platform, workers: WorkerChoice | None = None) -> list[Service]:
    """The services of a role, in the order in which they start."""
    match role:
        case "api":
            return [
                platform.live_hub,
                BroadcastMarks(platform.database, platform.live_hub).service(),
                platform.api_keys.service(),
                platform.open_connections.service(),
                *([] if (clients := platform.open_bus.client_queues) is None else [clients.quota.service()]),
            ]
        case "work":
            platform.health.add("media sandbox", partial(_check_media_sandbox, platform.settings.media))
            return [ForkServer(), *(worker_for(job, platform) for job in chosen_jobs(platform, JOBS, workers))]
        case "consume":
            return [*(make(platform) for make in CONSUMERS), *endpoint_deliveries(platform)]
        case "schedule":
            return [
                *platform.open_bus.services,
                *platform.open_objects.services,
                *filter(None, [scanner(platform).service()]),
                abandoned_uploads(platform),
                platform.tus.service(),
                platform.removals.service(),
                platform.page_sessions.service(),
                audit_upkeep(platform),
                *filter(None, [platform.retention.service(), platform.storage_meter.service()]),
                ClipExpiry(platform.database, platform.objects).service(),
                *external_worker_services(platform, JOBS, segment_index(platform).adopt),
                JobDepthMonitor(platform.database, platform.job_metrics).service(),
                LiveSweep(platform.database, retention_days=platform.settings.live.retention_days).service(),
                *live_relay(platform),
                platform.security.closer.service(),
                platform.security.alert_watch.service(),
                Scheduler(platform.database, [make(platform) for make in SCHEDULES]).service(),
                *message_services(platform),
                MailRetention(
                    platform.database, keep=timedelta(days=platform.settings.notifications.retention_days)
                ).service(),
            ]


def failed_job_handler(platform: Platform) -> OnJobFailed:
    """Calls `on_failed` of a job that is failed by hand, in a process that runs no workers. Builds that job alone."""

    async def on_failed(tx: Transaction, job: ClaimedJob, error: dict[str, Any]) -> None:
        if (build := JOBS.get(job.job_type)) is not None:
            await call_on_failed(build(platform), tx, job, error)

    return on_failed


def worker_for(handler: Job[Any], platform: Platform) -> Worker:
    async def store_log(job_id: UUID, content: bytes) -> None:
        await platform.objects.put(job_log_key(job_id), content)

    async def publish_progress(job: ClaimedJob, progress: float, message: str | None) -> None:
        if job.video_id is not None:
            await platform.progress.job_progressed(job.id, job.job_type, job.video_id, progress, message)

    return Worker(
        handler,
        database=platform.database,
        listener=platform.listener,
        settings=platform.settings.jobs,
        metrics=platform.job_metrics,
        store_log=store_log if platform.settings.jobs.store_logs else None,
        publish_progress=publish_progress,
    )
