"""What is made of video: stream, poster, key frames, clips. Each sub-package has a face of its own."""

from typing import TYPE_CHECKING, Any

from sightline.media.settings import MediaSettings

if TYPE_CHECKING:
    from sightline.media.sample_video import SAMPLE_VIDEO_NAME, make_sample_video

__all__ = ["SAMPLE_VIDEO_NAME", "MediaSettings", "make_sample_video"]


def __getattr__(name: str) -> Any:
    """Loads the sample video on first use: it needs an encoder, and settings are read by every command."""
    if name in ("SAMPLE_VIDEO_NAME", "make_sample_video"):
        from sightline.media import sample_video

        return getattr(sample_video, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
