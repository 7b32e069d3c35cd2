"""Key frames: the sample job, frame similarity, and the frame archive."""

from typing import TYPE_CHECKING, Any

from sightline.media.sampling.frames_archive import FrameObject, archive, list_frames
from sightline.media.sampling.moments_archive import VideoMoment, moments_archive
from sightline.media.sampling.overview_store import get_overview

if TYPE_CHECKING:
    from sightline.media.sampling.sample import SampleJob

__all__ = ["FrameObject", "SampleJob", "VideoMoment", "archive", "get_overview", "list_frames", "moments_archive"]


def __getattr__(name: str) -> Any:
    """Loads the job on first use: it needs numpy, and a process that only lists frames does not."""
    if name == "SampleJob":
        from sightline.media.sampling.sample import SampleJob

        return SampleJob
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
