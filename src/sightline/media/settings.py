"""Settings of what is made of pictures: stream, poster, frames, clips."""

from pydantic import BaseModel, ConfigDict, Field

GIB = 1024**3


class MediaSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    proxy_height: int = Field(
        720,
        ge=144,
        le=4320,
        description="Largest height of a stream that had to be encoded anew; of upright pictures, the width.",
    )
    segment_s: float = Field(6.0, ge=1, le=30, description="About how long each segment of a stream is.")
    max_pixels: int = Field(7680 * 4320, ge=1, description="Largest picture taken in, width times height.")
    max_duration_s: float = Field(12 * 3600.0, gt=0, description="Longest video taken in.")
    max_gap_s: float = Field(
        600.0, gt=0, description="Longest time that one picture may stand; longer means that timestamps are broken."
    )
    max_streams: int = Field(64, ge=1, description="Most streams (pictures, sounds, subtitles, data) in one file.")
    cpu_limit_s: int = Field(5 * 3600, ge=1, description="CPU time that a job may spend on one video.")
    wall_limit_s: float = Field(5 * 3600.0, gt=0, le=5.5 * 3600, description="Longest run of a job on one video.")
    memory_limit_bytes: int = Field(4 * GIB, ge=GIB // 2, description="Address space that a job on a video may use.")
    file_limit_bytes: int = Field(64 * GIB, ge=GIB // 64, description="Largest file that a job on a video may write.")
    transcode_concurrency: int = Field(1, ge=1, description="Videos that one worker makes streams of at once.")
    clip_concurrency: int = Field(2, ge=1, description="Clips that one worker cuts at once.")
    clip_max_s: float = Field(1800.0, gt=0, description="Longest clip that can be asked for, padding included.")
    clip_keep_days: float = Field(30.0, gt=0, description="Days after which a clip is removed.")
    playback_expiry_s: float = Field(
        6 * 3600.0, gt=0, le=7 * 24 * 3600, description="How long the addresses in a playlist can be used."
    )
    download_expiry_s: float = Field(
        900.0, gt=0, le=7 * 24 * 3600, description="How long the address of a download can be used."
    )
