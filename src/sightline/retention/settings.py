"""Settings of retention. Everything that people uploaded stays until a setting says otherwise."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

_NEVER = "0 keeps them all."


class RetentionSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sweep_s: float = Field(3600.0, ge=0, description="How often the rules are applied; 0 is never.")
    measure_s: float = Field(
        3600.0, ge=0, description="How often the object store is listed to measure its use; 0 is never."
    )
    notice_days: float = Field(
        7.0, ge=0, description="Days before a removal from which on the page and the API announce it."
    )
    trash_days: float = Field(
        7.0, ge=0, description="Days for which a deleted video stays in the trash; 0 removes it within a minute."
    )
    videos_days: float = Field(
        0, ge=0, description=f"Days after which a finished video is deleted with everything of it. {_NEVER}"
    )
    videos_max_bytes: int = Field(
        0, ge=0, description=f"With more bytes of videos stored, the oldest finished ones are deleted. {_NEVER}"
    )
    originals_days: float = Field(
        0,
        ge=0,
        description=f"Days after which the original of a finished video is removed; it stays searchable. {_NEVER}",
    )
    originals_max_bytes: int = Field(
        0, ge=0, description=f"With more bytes of originals stored, the oldest are removed; videos stay. {_NEVER}"
    )
    frames_days: float = Field(
        0, ge=0, description=f"Days after which the key frames of a completed video are removed. {_NEVER}"
    )
    frames_max_bytes: int = Field(
        0, ge=0, description=f"With more bytes of key frames stored, those of the oldest videos are removed. {_NEVER}"
    )
    clips_max_bytes: int = Field(
        0,
        ge=0,
        description=f"With more bytes of clips stored, the oldest are removed before their time. {_NEVER}",
    )
    recordings_days: float = Field(
        14.0,
        ge=0,
        description=f"Days after which recordings of cameras that name no other limit are removed. {_NEVER}",
    )
    recordings_max_bytes: int = Field(
        0, ge=0, description=f"With more bytes of recordings of all cameras stored, the oldest are removed. {_NEVER}"
    )
    done_jobs_days: float = Field(
        0, ge=0, description=f"Days after which finished jobs are removed with their history. {_NEVER}"
    )
    failed_jobs_days: float = Field(
        0, ge=0, description=f"Days after which jobs that failed for good are removed with their history. {_NEVER}"
    )

    @model_validator(mode="after")
    def _keeps_failed_jobs_longest(self) -> Self:
        if self.failed_jobs_days and self.failed_jobs_days < (self.done_jobs_days or float("inf")):
            raise ValueError(
                "failed jobs are kept for investigation, so SIGHTLINE_RETENTION_FAILED_JOBS_DAYS must be 0 or at least "
                "SIGHTLINE_RETENTION_DONE_JOBS_DAYS, which must be set too"
            )
        return self
