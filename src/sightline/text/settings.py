"""Settings of reading and searching text."""

from pydantic import BaseModel, ConfigDict, Field


class TextSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    merge_gap_ms: int = Field(
        300,
        ge=0,
        description="Longest break, in ms, within one showing of a text; after a longer one it is shown again.",
    )
    cpu_limit_s: int = Field(1800, ge=1, description="CPU time that reading a stretch of 50 key frames may take.")
    memory_limit_bytes: int = Field(
        4 * 1024**3, ge=1024**3, description="Address space that a process which reads text may use."
    )
