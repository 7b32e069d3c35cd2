"""What each role of a process runs. A feature adds its jobs, consumers and schedules here, a line each."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal

from sightline.bootstrap import Platform, objects_directory
from sightline.bus import Consumer
from sightline.jobs import Job, Worker
from sightline.jobs.periodic import Periodic, Scheduler
from sightline.jobs.watch import JobWatch
from sightline.objects import put_object
from sightline.supervisor import Service

Role = Literal["work", "consume", "schedule"]

JOBS: tuple[Callable[[Platform], Job[Any]], ...] = ()
CONSUMERS: tuple[Callable[[Platform], Consumer], ...] = ()
SCHEDULES: tuple[Callable[[Platform], Periodic], ...] = ()


def services_of(role: Role, platform: Platform) -> list[Service]:
    """The services of a role, in the order in which they start."""
    match role:
        case "work":
            return [worker_for(make(platform), platform) for make in JOBS]
        case "consume":
            return [make(platform) for make in CONSUMERS]
        case "schedule":
            return [
                *platform.open_bus.upkeep,
                JobWatch(platform.database, platform.job_metrics),
                Scheduler(platform.database, [make(platform) for make in SCHEDULES]),
            ]


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
