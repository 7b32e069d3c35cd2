"""Settings of recordings and live view; modes and limits of a camera are in its own record."""

from pydantic import BaseModel, ConfigDict, Field


class RecordingSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    segment_s: float = Field(
        4.0, ge=1, le=20, description="Length of a segment; it ends with the key frame that follows."
    )
    pre_roll_s: float = Field(10.0, ge=0, le=120, description="What is kept from before an event.")
    post_roll_s: float = Field(20.0, ge=0, le=600, description="What is kept from after an event.")
    event_days: float = Field(
        30.0, ge=0, description="Days for which no rule by age removes what shows an event; 0 makes no difference."
    )
    picture_fps: float = Field(
        2.0, gt=0, le=10, description="Pictures per second that are recorded of cameras that send pictures, not video."
    )
    waiting_max_bytes: int = Field(
        512 * 1024 * 1024,
        ge=16 * 1024 * 1024,
        description="Segments of a camera that wait on disk while the object store is unavailable; older ones are dropped.",
    )
    ring_max_bytes: int = Field(
        128 * 1024 * 1024,
        ge=8 * 1024 * 1024,
        description="Segments of a camera that wait on disk for an event.",
    )
    event_clips: bool = Field(
        True,
        description="Whether an event of which something was recorded gets its clip and preview by itself, once it is over.",
    )
    clip_padding_s: float = Field(5.0, ge=0, le=60, description="What the clip of an event shows before and after it.")
    clip_max_s: float = Field(600.0, ge=10, le=3600, description="Longest clip of an event.")
    live_viewers: int = Field(
        32, ge=1, description="Live pictures that one person can follow at the same time, in one process of the API."
    )
