"""Settings of reading and searching text."""

from pydantic import BaseModel, ConfigDict, Field


class TextSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    merge_gap_ms: int = Field(
        300,
        ge=0,
        description="Longest break, in ms, within one showing of a text; after a longer one it is shown again.",
    )
