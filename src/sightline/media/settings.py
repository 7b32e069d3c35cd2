"""Settings of media jobs: stream, poster, frames, clips."""

from pydantic import BaseModel, ConfigDict, Field

GIB = 1024**3


class MediaSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    proxy_height: int = Field(
        720,
        ge=144,
        le=4320,
        description="Maximum height of a transcoded stream; for portrait videos, maximum width.",
    )
    segment_s: float = Field(6.0, ge=1, le=30, description="Approximate length of each segment of a stream.")
    max_pixels: int = Field(7680 * 4320, ge=1, description="Largest accepted frame size, width times height.")
    max_duration_s: float = Field(12 * 3600.0, gt=0, description="Longest accepted video.")
    max_gap_s: float = Field(
        600.0,
        gt=0,
        description="Longest accepted time between two frames; a longer gap means that timestamps are broken.",
    )
    max_streams: int = Field(
        64, ge=1, description="Maximum number of streams (video, audio, subtitles, data) in one file."
    )
    cpu_limit_s: int = Field(5 * 3600, ge=1, description="Maximum CPU time of a job on one video.")
    wall_limit_s: float = Field(
        5 * 3600.0, gt=0, le=5.5 * 3600, description="Maximum wall-clock time of a job on one video."
    )
    memory_limit_bytes: int = Field(4 * GIB, ge=GIB // 2, description="Maximum address space of a job on one video.")
    file_limit_bytes: int = Field(64 * GIB, ge=GIB // 64, description="Largest file that a job on one video may write.")
    allow_unconfined: bool = Field(
        False,
        description="Work on videos and their frames also where the kernel cannot confine it; otherwise it is refused.",
    )
    transcode_concurrency: int = Field(1, ge=1, description="Videos that one worker transcodes in parallel.")
    clip_concurrency: int = Field(2, ge=1, description="Clips that one worker cuts in parallel.")
    clip_max_s: float = Field(1800.0, gt=0, description="Longest clip that can be requested, padding included.")
    clip_keep_days: float = Field(30.0, gt=0, description="Days after which a clip is removed.")
    playback_expiry_s: float = Field(
        6 * 3600.0, gt=0, le=24 * 3600, description="How long the signed URLs in a playlist are valid."
    )
    download_expiry_s: float = Field(
        900.0, gt=0, le=24 * 3600, description="How long the signed URL of a download is valid."
    )
