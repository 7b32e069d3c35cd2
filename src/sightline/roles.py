"""What each role of a process runs. A feature adds its jobs, consumers and schedules here, a line each."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Literal

from sightline.bootstrap import Platform, objects_directory
from sightline.db import Transaction
from sightline.jobs import ClaimedJob, Job, Worker
from sightline.jobs.admin import TellFailed
from sightline.jobs.periodic import Periodic, Scheduler
from sightline.jobs.runner import tell_failed
from sightline.jobs.watch import JobWatch
from sightline.notifications import MailMetrics, MailRetention, NotificationWorker
from sightline.live import LiveSweep
from sightline.objects import put_object
from sightline.supervisor import Service

Role = Literal["api", "work", "consume", "schedule"]


def notification_worker(platform: Platform) -> NotificationWorker:
    return NotificationWorker(
        platform.settings.notifications,
        queues=platform.bus,
        database=platform.database,
        bus_metrics=platform.open_bus.metrics,
        metrics=MailMetrics(platform.registry),
    )


JOBS: tuple[Callable[[Platform], Job[Any]], ...] = ()
CONSUMERS: tuple[Callable[[Platform], Service], ...] = (notification_worker,)
SCHEDULES: tuple[Callable[[Platform], Periodic], ...] = ()


def services_of(role: Role, platform: Platform) -> list[Service]:
    """The services of a role, in the order in which they start."""
    match role:
        case "api":
            return [platform.live_hub]
        case "work":
            return [worker_for(make(platform), platform) for make in JOBS]
        case "consume":
            return [make(platform) for make in CONSUMERS]
        case "schedule":
            return [
                *platform.open_bus.upkeep,
                JobWatch(platform.database, platform.job_metrics),
                LiveSweep(platform.database, retention_days=platform.settings.live.retention_days),
                Scheduler(platform.database, [make(platform) for make in SCHEDULES]),
                MailRetention(platform.database, keep=timedelta(days=platform.settings.notifications.retention_days)),
            ]


def failure_teller(platform: Platform) -> TellFailed:
    """Who has to know when a job is failed by hand, in a process that runs no workers."""

    async def tell(tx: Transaction, job: ClaimedJob, error: dict[str, Any]) -> None:
        for kind in (make(platform) for make in JOBS):
            if kind.job_type == job.job_type:
                await tell_failed(kind, tx, job, error)

    return tell


def worker_for(kind: Job[Any], platform: Platform) -> Worker:
    directory = objects_directory(platform.settings)

    async def store_log(key: str, content: bytes) -> None:
        await asyncio.to_thread(put_object, directory, key, content)

    return Worker(
        kind,
        database=platform.database,
        listener=platform.listener,
        settings=platform.settings.jobs,
        metrics=platform.job_metrics,
        store_log=store_log if platform.settings.jobs.store_logs else None,
    )
