"""Settings of the audit log."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

MIN_RETENTION_DAYS = 30


class AuditSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    retention_days: int = Field(
        365, ge=0, description="Days after which entries of the audit log are removed: 30 or more; 0 keeps them all."
    )

    @field_validator("retention_days")
    @classmethod
    def _long_enough(cls, days: int) -> int:
        if 0 < days < MIN_RETENTION_DAYS:
            raise ValueError(f"use {MIN_RETENTION_DAYS} or more, or 0 to keep all entries")
        return days
