"""Settings of the search box."""

from pydantic import BaseModel, ConfigDict, Field


class SearchesSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    max_saved: int = Field(100, ge=0, description="Maximum number of saved searches per person.")
