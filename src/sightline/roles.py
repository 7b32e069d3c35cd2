"""Roles: which services each kind of process runs. A feature adds its periodic services and schedules here, a line each."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Literal

from sightline.access import AuditUpkeep
from sightline.bootstrap import Platform
from sightline.bus import alert_queue, message_queue
from sightline.camera_services import camera_watch, ftp_server, home_assistant
from sightline.contracts.jobs import Retention
from sightline.job_types import JOBS, segment_index, worker_for
from sightline.jobs import (
    DEPTH_GAUGES,
    FAILURE_GAUGES,
    CloudWatchMetrics,
    ForkServer,
    GaugeNames,
    JobDepthMonitor,
    PeriodicJob,
    Scheduler,
    confinement,
    need_confinement,
)
from sightline.live import LiveSweep
from sightline.media import MediaSettings
from sightline.media.clips import ClipExpiry
from sightline.messages import (
    DeadLetterCount,
    MessageRetention,
    MessageScheduler,
)
from sightline.messages.schedules import EXTERNAL_CLOCK_GRACE
from sightline.notifications import MailRetention
from sightline.queue_consumers import CONSUMERS, endpoint_deliveries, scanner
from sightline.quota_warnings import QuotaWarnings
from sightline.searches import SearchFollowUp
from sightline.security import BroadcastMarks
from sightline.supervisor import Service
from sightline.text.meaning import MeaningBackfill
from sightline.uploads import AbandonedUploads
from sightline.worker_services import (
    WorkerChoice,
    chosen_jobs,
    external_worker_services,
    recording_services,
)

Role = Literal["api", "work", "consume", "schedule", "cameras"]


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


def daily_retention(platform: Platform) -> PeriodicJob:
    settings = platform.settings.security
    return PeriodicJob("retention", settings.retention_cron, lambda _: Retention(), zone=settings.retention_zone)


def abandoned_uploads(platform: Platform) -> Service:
    return AbandonedUploads(
        platform.database,
        platform.objects,
        platform.videos,
        platform.completion,
        idle=timedelta(hours=platform.settings.uploads.abandoned_after_h),
        complete_after=timedelta(seconds=platform.settings.uploads.complete_after_s),
    ).service()


def audit_upkeep(platform: Platform) -> Service:
    days = platform.settings.audit.retention_days
    keep = timedelta(days=days) if days else None
    return AuditUpkeep(platform.audit, platform.database, keep=keep).service()


def search_follow_up(platform: Platform) -> Service:
    opened = platform.open_messages
    return SearchFollowUp(
        platform.database, opened.event_notifications, opened.store, platform.live, page_url=platform.public_url
    ).service()


def quota_warnings(platform: Platform) -> Service:
    opened = platform.open_messages
    return QuotaWarnings(
        platform.database,
        opened.event_notifications,
        opened.store,
        platform.admission.quotas_of,
        page_url=platform.public_url,
    ).service()


def meaning_backfill(platform: Platform) -> Service:
    settings = platform.settings
    return MeaningBackfill(platform.database, platform.jobs, settings.meaning, state_dir=settings.state_dir).service()


def live_relay(platform: Platform) -> list[Service]:
    make = platform.live_transport.relay
    return [] if make is None else [make(platform.database, platform.listener).service()]


def search_projection(platform: Platform) -> Service | None:
    settings = platform.settings.opensearch
    if settings.url is None:
        return None
    from sightline.text.opensearch import SearchProjection  # only where it is used

    projection = SearchProjection(platform.database, settings, settings.url)
    platform.health.add("opensearch", projection.check)
    return projection.service()


def cloudwatch_metrics(platform: Platform, gauges: GaugeNames, job_types: Iterable[str]) -> list[Service]:
    namespace = platform.settings.observability.cloudwatch_namespace
    if namespace is None:
        return []
    return [CloudWatchMetrics(platform.registry, namespace, gauges, job_types=job_types).service()]


SCHEDULES: tuple[Callable[[Platform], PeriodicJob], ...] = (daily_retention,)


async def _check_media_sandbox(settings: MediaSettings) -> str:
    """How work on untrusted files is confined here; sick where it is refused."""
    found = await asyncio.to_thread(confinement)
    await asyncio.to_thread(need_confinement, may_be_unconfined=settings.allow_unconfined)
    return found.level


def services_of_every_process(platform: Platform) -> list[Service]:
    """What every process runs once, whatever its roles."""
    registry = platform.open_bus.registry
    followed = () if registry is None else (registry.service(platform.listener),)
    return [platform.listener, platform.settings_watch.service(), *followed]


def services_of(role: Role, platform: Platform, workers: WorkerChoice | None = None) -> list[Service]:
    """The services of a role, in the order in which they start."""
    match role:
        case "api":
            return [
                platform.live_hub,
                BroadcastMarks(platform.database, platform.live_hub).service(),
                platform.api_keys.service(),
                platform.usage.service(),
                platform.open_connections.service(),
                *([] if (clients := platform.open_bus.client_queues) is None else [clients.quota.service()]),
            ]
        case "work":
            platform.health.add("media sandbox", partial(_check_media_sandbox, platform.settings.media))
            jobs = chosen_jobs(platform, JOBS, workers)
            types = [job.job_type for job in jobs]
            return [
                ForkServer(),
                *(worker_for(job, platform) for job in jobs),
                *cloudwatch_metrics(platform, FAILURE_GAUGES, types),
            ]
        case "cameras":
            watch = camera_watch(platform, platform.detector)
            platform.health.add("cameras", watch.check)
            # Its first camera starts the fork server.
            return [watch, *filter(None, [ftp_server(platform)])]
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
                platform.usage.adding_up(),
                quota_warnings(platform),
                platform.person_requests.service(),
                audit_upkeep(platform),
                *filter(None, [platform.retention.service(), platform.storage_meter.service()]),
                ClipExpiry(platform.database, platform.objects).service(),
                *recording_services(platform),
                meaning_backfill(platform),
                *external_worker_services(platform, JOBS, segment_index(platform).adopt),
                JobDepthMonitor(platform.database, platform.job_metrics).service(),
                *cloudwatch_metrics(platform, DEPTH_GAUGES, JOBS),
                LiveSweep(platform.database, retention_days=platform.settings.live.retention_days).service(),
                *live_relay(platform),
                *filter(None, [home_assistant(platform), search_projection(platform)]),
                search_follow_up(platform),
                platform.security.closer.service(),
                platform.security.alert_watch.service(),
                Scheduler(platform.database, [make(platform) for make in SCHEDULES]).service(),
                *message_services(platform),
                MailRetention(
                    platform.database, keep=timedelta(days=platform.settings.notifications.retention_days)
                ).service(),
            ]
