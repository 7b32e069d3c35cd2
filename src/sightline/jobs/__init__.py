"""Owns the queue of slow work: claims, leases, retries, dependencies, periodic jobs, workers."""

from sightline.jobs.admin import remove_jobs_of_video
from sightline.jobs.job import Job, JobContext, JobLimits, LeaseLost
from sightline.jobs.metrics import JobMetrics
from sightline.jobs.queue import Enqueued, JobQueue
from sightline.jobs.record import ClaimedJob, JobCount, JobRecord, Move, NewJob
from sightline.jobs.settings import JobsSettings
from sightline.jobs.worker import Worker

__all__ = [
    "ClaimedJob",
    "Enqueued",
    "Job",
    "JobContext",
    "JobCount",
    "JobLimits",
    "JobMetrics",
    "JobQueue",
    "JobRecord",
    "JobsSettings",
    "LeaseLost",
    "Move",
    "NewJob",
    "Worker",
    "remove_jobs_of_video",
]
