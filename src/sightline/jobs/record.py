"""Records of the job queue: new, claimed and stored jobs."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sightline.contracts.jobs import JobPayload

JobStatus = Literal["queued", "processing", "done", "failed"]


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to enqueue. A pipeline job is not enqueued while one of its type and video is active."""

    payload: JobPayload
    priority: int = 0
    depends_on: UUID | None = None
    run_after: datetime | None = None


@dataclass(slots=True, eq=False)
class ClaimedJob:
    """A job that is leased to a worker."""

    id: UUID
    video_id: UUID | None
    job_type: str
    retry_count: int
    priority: int
    payload_text: str
    context_text: str | None
    created_at: datetime
    started_at: datetime
    is_settling: bool = False
    """The end of the job is being stored, which also shows whether the lease still holds."""

    @property
    def payload(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.payload_text)
        return found

    @property
    def context(self) -> dict[str, str]:
        """Correlation id and trace of the caller that enqueued it."""
        return json.loads(self.context_text) if self.context_text else {}


@dataclass(frozen=True, slots=True)
class JobTransition:
    status: str
    at: datetime
    by: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A stored job with its history."""

    id: UUID
    video_id: UUID | None
    job_type: str
    status: JobStatus
    priority: int
    retry_count: int
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    run_after: datetime | None
    locked_by: str | None
    locked_until: datetime | None
    depends_on: UUID | None
    progress: float
    progress_message: str | None
    payload: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    transitions: tuple[JobTransition, ...]


@dataclass(frozen=True, slots=True)
class JobCount:
    job_type: str
    status: JobStatus
    jobs: int
    oldest_age_s: float | None
    """How long the oldest queued job has waited."""
