"""Stream planning: whether the streams of a video can be copied or have to be transcoded. Pure."""

from dataclasses import dataclass, replace
from math import floor

from sightline.media.input.probe import MediaInfo

MAX_KEYFRAME_GAP_S = 10.0
MAX_FRAME_DURATION_S = 1.0
"""Browsers take a longer one for a gap and skip it."""
MAX_FPS = 60.0
MIN_SIDE = 16

_PROFILES = ("Baseline", "Constrained Baseline", "Main", "High")
_FPS_SLACK = 0.5  # rates are measured: 59.94 and 60.02 are both 60


@dataclass(frozen=True, slots=True)
class StreamPlan:
    copies_picture: bool
    copies_sound: bool
    width: int
    height: int
    """Height of the stream as it is shown, as `width`."""
    reasons: tuple[str, ...]
    """Why the video stream has to be transcoded; empty when it is copied."""


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
    """The plan after copying turned out to be impossible."""
    if is_sound:
        return replace(plan, copies_sound=False)
    width, height = fit_size(info.shown_size, max_height)
    return replace(plan, copies_picture=False, width=width, height=height, reasons=(reason,))


def reasons_to_encode(info: MediaInfo) -> list[str]:
    """Only what every browser plays from MPEG-TS is copied. MPEG-TS has no rotation and no pixel aspect."""
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
    """The size scaled down to the maximum height (of portrait videos, width), in even numbers and the same proportion."""
    width, height = size
    factor = min(1.0, max_height / min(width, height))
    return _even(width * factor), _even(height * factor)


def _even(length: float) -> int:
    return max(MIN_SIDE, 2 * floor(length / 2 + 0.5))
