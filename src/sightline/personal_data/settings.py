"""Settings of the export and erasure of people's data."""

from pydantic import BaseModel, ConfigDict, Field


class PeopleSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    erasure_grace_days: float = Field(
        14.0,
        ge=0,
        le=90,
        description="Days between the request to erase an account and its erasure, in which it can be cancelled; 0 erases at once.",
    )
    export_keep_hours: float = Field(
        48.0,
        gt=0,
        le=30 * 24,
        description="Hours for which the file of an export can be downloaded; then it is removed.",
    )
