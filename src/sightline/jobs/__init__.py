"""The queue of slow work: claims, leases, retries, dependencies, periodic jobs, workers and sandboxed processes."""

from sightline.jobs.admin import (
    JOB_STATUSES,
    JOB_TYPES,
    OnJobFailed,
    RetriedJob,
    RetryReport,
    SkippedJob,
    cancel_queued_job,
    check_job_type,
    count_jobs,
    count_open_jobs,
    get_job,
    list_jobs,
    need_job,
    remove_jobs_of_video,
    retry_failed_jobs,
    retry_jobs_by_id,
    retry_one_job,
    set_actor,
    unknown_job,
)
from sightline.jobs.cloudwatch import DEPTH_GAUGES, FAILURE_GAUGES, CloudWatchMetrics, GaugeNames
from sightline.jobs.confinement import (
    ACCEPTING_SETTING,
    Confinement,
    ConfinementMissing,
    Sandbox,
    confinement,
    need_confinement,
)
from sightline.jobs.depth_monitor import JobDepthMonitor
from sightline.jobs.external import CHANNEL as EXTERNAL_CHANNEL
from sightline.jobs.external import ExternalJobs
from sightline.jobs.fork_server import ForkServer, preload
from sightline.jobs.job import Job, JobContext, JobLimits, LeaseLost
from sightline.jobs.latest import LatestJob, latest_of_videos
from sightline.jobs.metrics import JobMetrics
from sightline.jobs.open_process import LongWork, OpenProcess, open_process
from sightline.jobs.periodic import PeriodicJob, Scheduler
from sightline.jobs.process import ProcessCrashed, Progress, run_in_process
from sightline.jobs.process_channel import BrokenChannel, ChildChannel, ProcessMessage
from sightline.jobs.process_limits import LimitExceeded, LimitReached, ProcessLimits, was_short_of_memory
from sightline.jobs.purge import count_purgeable, purge_jobs
from sightline.jobs.queue import Enqueued, JobQueue
from sightline.jobs.record import ClaimedJob, JobCount, JobRecord, JobStatus, JobTransition, NewJob
from sightline.jobs.runner import StoreLog, call_on_failed
from sightline.jobs.scratch import Scratch
from sightline.jobs.served_process import ServedProcess, ServiceSpec, open_served_process
from sightline.jobs.settings import JobsSettings
from sightline.jobs.shared_places import SharedPlaces
from sightline.jobs.worker import PublishProgress, Worker

__all__ = [
    "ACCEPTING_SETTING",
    "DEPTH_GAUGES",
    "EXTERNAL_CHANNEL",
    "FAILURE_GAUGES",
    "JOB_STATUSES",
    "JOB_TYPES",
    "BrokenChannel",
    "ChildChannel",
    "ClaimedJob",
    "CloudWatchMetrics",
    "Confinement",
    "ConfinementMissing",
    "Enqueued",
    "ExternalJobs",
    "ForkServer",
    "GaugeNames",
    "Job",
    "JobContext",
    "JobCount",
    "JobDepthMonitor",
    "JobLimits",
    "JobMetrics",
    "JobQueue",
    "JobRecord",
    "JobStatus",
    "JobTransition",
    "JobsSettings",
    "LatestJob",
    "LeaseLost",
    "LimitExceeded",
    "LimitReached",
    "LongWork",
    "NewJob",
    "OnJobFailed",
    "OpenProcess",
    "PeriodicJob",
    "ProcessCrashed",
    "ProcessLimits",
    "ProcessMessage",
    "Progress",
    "PublishProgress",
    "RetriedJob",
    "RetryReport",
    "Sandbox",
    "Scheduler",
    "Scratch",
    "ServedProcess",
    "ServiceSpec",
    "SharedPlaces",
    "SkippedJob",
    "StoreLog",
    "Worker",
    "call_on_failed",
    "cancel_queued_job",
    "check_job_type",
    "confinement",
    "count_jobs",
    "count_open_jobs",
    "count_purgeable",
    "get_job",
    "latest_of_videos",
    "list_jobs",
    "need_confinement",
    "need_job",
    "open_process",
    "open_served_process",
    "preload",
    "purge_jobs",
    "remove_jobs_of_video",
    "retry_failed_jobs",
    "retry_jobs_by_id",
    "retry_one_job",
    "run_in_process",
    "set_actor",
    "unknown_job",
    "was_short_of_memory",
]
