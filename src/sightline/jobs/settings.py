"""Settings of the job queue."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class JobsSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    lease_s: float = Field(
        300.0,
        gt=0,
        description="How long a worker may run a job without a heartbeat before another worker may claim it.",
    )
    heartbeat_s: float = Field(120.0, gt=0, description="How often a worker extends the leases of its running jobs.")
    poll_s: float = Field(5.0, gt=0, description="How often a worker looks for jobs without being notified.")
    successor_wait_s: float = Field(
        30.0,
        ge=0,
        description="How long a worker of another program has, after it marked a job done, to enqueue the next one itself.",
    )
    store_logs: bool = Field(False, description="Store each job's log at logs/pipeline/{job_id}.json.")
    failure_alert_rate: float = Field(
        0.2, gt=0, le=1, description="Share of failed attempts in the last ten minutes that raises the alert metric."
    )
    work_directory: Path | None = Field(
        None, description="Directory for the files of running jobs. Unset: `work` in the state directory."
    )
