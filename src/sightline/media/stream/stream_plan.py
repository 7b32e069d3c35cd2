"""Whether a video's own streams can be played as they are, and what is made of them where not. Pure."""

from dataclasses import dataclass, replace
from math import floor

from sightline.media.input.probe import MediaInfo

MAX_KEYFRAME_GAP_S = 10.0
MAX_FRAME_DURATION_S = 1.0
"""Browsers take a longer one for a hole in what they have loaded, and jump over it."""
MAX_FPS = 60.0
MIN_SIDE = 16

_PROFILES = ("Baseline", "Constrained Baseline", "Main", "High")
_FPS_SLACK = 0.5  # rates are measured, and 59.94 or 60.02 are both 60


@dataclass(frozen=True, slots=True)
class StreamPlan:
    copies_picture: bool
    copies_sound: bool
    width: int
    height: int
    """Of the stream as it is shown."""
    reasons: tuple[str, ...]
    """Why the picture has to be encoded anew; none when it is copied."""


def plan_stream(info: MediaInfo, *, max_height: int) -> StreamPlan:
    reasons = tuple(reasons_to_encode(info))
    width, height = info.shown_size if not reasons else fit_size(info.shown_size, max_height)
    return StreamPlan(
        copies_picture=not reasons,
        copies_sound=info.sound_codec == "aac",
        width=width,
        height=height,
        reasons=reasons,
    )


def without_copying(plan: StreamPlan, reason: str, info: MediaInfo, *, is_sound: bool, max_height: int) -> StreamPlan:
    """What is left to do when copying turned out not to be possible."""
    if is_sound:
        return replace(plan, copies_sound=False)
    width, height = fit_size(info.shown_size, max_height)
    return replace(plan, copies_picture=False, width=width, height=height, reasons=(reason,))


def reasons_to_encode(info: MediaInfo) -> list[str]:
    """What every browser plays from MPEG-TS, and nothing else, is copied. MPEG-TS knows no rotation and no pixel shape."""
    found = []
    if info.codec != "h264":
        found.append(f"codec {info.codec}")
    elif info.profile not in _PROFILES:
        found.append(f"profile {info.profile}")
    if info.pixel_format != "yuv420p":
        found.append(f"pixel format {info.pixel_format}")
    if info.orientation != "UPRIGHT":
        found.append("the picture is turned")
    if info.pixel_aspect[0] != info.pixel_aspect[1]:
        found.append("the pixels are not square")
    if info.is_interlaced:
        found.append("interlaced")
    if info.pictures != 1:
        found.append(f"{info.pictures} video streams")
    if info.fps is None or info.fps > MAX_FPS + _FPS_SLACK:
        found.append(f"{info.fps or 'unknown'} frames per second")
    if info.has_hidden_start:
        found.append("hidden pictures at a cut")
    if info.keyframe_gap_s is not None and info.keyframe_gap_s > MAX_KEYFRAME_GAP_S:
        found.append(f"{info.keyframe_gap_s:.1f} s between key frames")
    if info.max_frame_duration_s is not None and info.max_frame_duration_s > MAX_FRAME_DURATION_S:
        found.append(f"a picture stands for {info.max_frame_duration_s:.1f} s")
    return found


def fit_size(size: tuple[int, int], max_height: int) -> tuple[int, int]:
    """Not larger than allowed on its shorter side, in even numbers, in the same proportion."""
    width, height = size
    factor = min(1.0, max_height / min(width, height))
    return _even(width * factor), _even(height * factor)


def _even(length: float) -> int:
    return max(MIN_SIDE, 2 * floor(length / 2 + 0.5))
