"""The overview as JSON: figures over time, and current numbers."""

from dataclasses import asdict
from typing import Self

from pydantic import BaseModel, Field

from sightline.api.answers.queues import EXAMPLE_QUEUE, QueueAnswer
from sightline.api.health import ServiceAnswer
from sightline.jobs import JobCount
from sightline.overview import Ages, EventFigures, JobFigures, Period, ProcessingFigures, UploadFigures

_COLUMNS = "One number for each column."
_EXAMPLE_QUEUE = {
    "queue": EXAMPLE_QUEUE,
    "visible": 12,
    "in_flight": 3,
    "delayed": 0,
    "oldest_age_s": 4.2,
    "dead_letter_queue": f"{EXAMPLE_QUEUE}-dlq",
    "dead_letters": 1,
}


class UploadFiguresAnswer(BaseModel):
    created: list[int] = Field(examples=[[3, 0, 5]], description="Videos created. " + _COLUMNS)
    failed: list[int] = Field(examples=[[0, 0, 1]], description="Videos failed. " + _COLUMNS)

    @classmethod
    def of(cls, figures: UploadFigures) -> Self:
        return cls(**asdict(figures))


class ProcessingFiguresAnswer(BaseModel):
    videos: list[int] = Field(examples=[[3, 0, 4]], description="Videos completed. " + _COLUMNS)
    seconds_per_minute: list[float | None] = Field(
        examples=[[21.4, None, 19.8]],
        description="Seconds from UPLOADED to COMPLETED for each minute that the videos play; null where none was completed.",
    )

    @classmethod
    def of(cls, figures: ProcessingFigures) -> Self:
        return cls(videos=figures.videos, seconds_per_minute=_rounded(figures.seconds_per_minute))


class EventFiguresAnswer(BaseModel):
    low: list[int] = Field(examples=[[4, 2, 0]], description=_COLUMNS)
    medium: list[int] = Field(examples=[[1, 0, 0]], description=_COLUMNS)
    high: list[int] = Field(examples=[[0, 1, 0]], description=_COLUMNS)
    critical: list[int] = Field(examples=[[0, 0, 1]], description=_COLUMNS)

    @classmethod
    def of(cls, figures: EventFigures) -> Self:
        return cls(**asdict(figures))


class JobFiguresAnswer(BaseModel):
    job_type: str = Field(examples=["ocr"])
    done: list[int] = Field(examples=[[12, 0, 31]], description=_COLUMNS)
    failed: list[int] = Field(examples=[[0, 0, 1]], description="Failed for good, and not retried since. " + _COLUMNS)

    @classmethod
    def of(cls, figures: JobFigures) -> Self:
        return cls(job_type=figures.job_type, done=figures.done, failed=figures.failed)


class JobAgesAnswer(BaseModel):
    """Age of jobs when they ended."""

    average_s: list[float | None] = Field(examples=[[3.2, None, 4.1]], description="Null where no job ended.")
    longest_s: list[float | None] = Field(examples=[[9.8, None, 60.3]], description="Null where no job ended.")

    @classmethod
    def of(cls, ages: Ages) -> Self:
        return cls(average_s=_rounded(ages.average_s), longest_s=_rounded(ages.longest_s))


class JobsNowAnswer(BaseModel):
    job_type: str = Field(examples=["ocr"])
    queued: int = Field(0, examples=[12], description="Waiting.")
    processing: int = Field(0, examples=[4], description="Being processed by a worker.")
    failed: int = Field(0, examples=[1], description="Failed permanently; retry it after fixing the cause.")
    oldest_age_s: float | None = Field(None, examples=[4.2], description="Age of the oldest one waiting.")


class NowAnswer(BaseModel):
    videos: dict[str, int] = Field(examples=[{"COMPLETED": 40, "FAILED": 1}], description="By status.")
    critical_unacknowledged: int = Field(examples=[1], description="Unacknowledged critical events.")
    jobs: list[JobsNowAnswer] | None = Field(
        examples=[[{"job_type": "ocr", "queued": 12, "processing": 4, "failed": 1, "oldest_age_s": 4.2}]],
        description="Job types with queued, running or failed jobs. For operators.",
    )
    queues: list[QueueAnswer] | None = Field(examples=[[_EXAMPLE_QUEUE]], description="Every queue. For operators.")
    services_not_running: list[ServiceAnswer] | None = Field(
        examples=[[{"name": "worker", "state": "restarting", "since": "2026-01-17T10:00:00.000Z", "restarts": 1}]],
        description="Services of the responding process that are not running. For operators.",
    )


class OverviewAnswer(BaseModel):
    period: Period = Field(examples=["24h"])
    step_s: int = Field(examples=[1800], description="Width of a column, in seconds.")
    times: list[str] = Field(
        examples=[["2026-01-17T10:00:00.000Z", "2026-01-17T10:30:00.000Z", "2026-01-17T11:00:00.000Z"]],
        description="When each column begins; the last one is still being filled.",
    )
    uploads: UploadFiguresAnswer
    processing: ProcessingFiguresAnswer
    events: EventFiguresAnswer
    jobs: list[JobFiguresAnswer] | None = Field(
        examples=[[{"job_type": "ocr", "done": [12, 0, 31], "failed": [0, 0, 1]}]],
        description="Job types of which a job ended. For operators.",
    )
    job_ages: JobAgesAnswer | None = Field(
        examples=[{"average_s": [3.2, None, 4.1], "longest_s": [9.8, None, 60.3]}],
        description="Age of jobs when they ended. For operators.",
    )
    now: NowAnswer


def jobs_now(waiting: list[JobCount], dead: dict[str, int]) -> list[JobsNowAnswer]:
    rows = {name: JobsNowAnswer(job_type=name, failed=jobs) for name, jobs in dead.items()}
    for one in waiting:
        row = rows.setdefault(one.job_type, JobsNowAnswer(job_type=one.job_type))
        setattr(row, one.status, one.jobs)
        if one.status == "queued":
            row.oldest_age_s = one.oldest_age_s
    return sorted(rows.values(), key=lambda row: row.job_type)


def _rounded(values: list[float | None]) -> list[float | None]:
    return [None if value is None else round(value, 3) for value in values]
