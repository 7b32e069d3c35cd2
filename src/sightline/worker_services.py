"""Workers of this process and of others: which job types it runs, and the services that follow workers of other programs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from sightline.bootstrap import Platform
from sightline.jobs import ExternalJobs, Job
from sightline.supervisor import Service
from sightline.videos import CompleteVideo, ReportedStatuses

JobBuilders = Mapping[str, Callable[[Platform], Job[Any]]]


@dataclass(frozen=True, slots=True)
class WorkerChoice:
    """The job types that a process runs, and how many jobs of a type in parallel where that differs from its default."""

    types: tuple[str, ...] | None = None
    """None: all."""
    concurrency: Mapping[str, int] = field(default_factory=dict)


def chosen_jobs(platform: Platform, builders: JobBuilders, choice: WorkerChoice | None) -> list[Job[Any]]:
    chosen = choice or WorkerChoice()
    handlers = [builders[job_type](platform) for job_type in chosen.types or builders]
    for handler in handlers:
        if (concurrency := chosen.concurrency.get(handler.job_type)) is not None:
            handler.limits = replace(handler.limits, concurrency=concurrency)
    return handlers


def external_worker_services(platform: Platform, builders: JobBuilders, complete: CompleteVideo) -> list[Service]:
    """Follow workers of other programs. The handler of a type is built when a job of that type is met."""
    built: dict[str, Job[Any]] = {}

    def handler_of(job_type: str) -> Job[Any] | None:
        if job_type not in built and job_type in builders:
            built[job_type] = builders[job_type](platform)
        return built.get(job_type)

    jobs = ExternalJobs(
        platform.database,
        platform.listener,
        handler_of,
        metrics=platform.job_metrics,
        successor_wait=timedelta(seconds=platform.settings.jobs.successor_wait_s),
    )
    reported = ReportedStatuses(platform.database, platform.listener, platform.videos, complete)
    return [jobs.service(), reported.service()]
