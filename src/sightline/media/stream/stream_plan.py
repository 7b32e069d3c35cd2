"""Whether a video's own streams can be played as they are, and what is made of them where not. Pure."""

from dataclasses import dataclass, replace
from math import floor

from sightline.media.input.probe import Facts

LONGEST_KEYFRAME_GAP_S = 10.0
LONGEST_PICTURE_S = 1.0
"""Browsers take a longer one for a hole in what they have loaded, and jump over it."""
FASTEST_FPS = 60.0
SMALLEST_SIDE = 16

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


def plan_stream(facts: Facts, *, largest_height: int) -> StreamPlan:
    reasons = tuple(reasons_to_encode(facts))
    width, height = facts.shown_size if not reasons else fitted(facts.shown_size, largest_height)
    return StreamPlan(
        copies_picture=not reasons,
        copies_sound=facts.sound_codec == "aac",
        width=width,
        height=height,
        reasons=reasons,
    )


def without_copying(plan: StreamPlan, reason: str, facts: Facts, *, is_sound: bool, largest_height: int) -> StreamPlan:
    """What is left to do when copying turned out not to be possible."""
    if is_sound:
        return replace(plan, copies_sound=False)
    width, height = fitted(facts.shown_size, largest_height)
    return replace(plan, copies_picture=False, width=width, height=height, reasons=(reason,))


def reasons_to_encode(facts: Facts) -> list[str]:
    """What every browser plays from MPEG-TS, and nothing else, is copied. MPEG-TS knows no rotation and no pixel shape."""
    found = []
    if facts.codec != "h264":
        found.append(f"codec {facts.codec}")
    elif facts.profile not in _PROFILES:
        found.append(f"profile {facts.profile}")
    if facts.pixel_format != "yuv420p":
        found.append(f"pixel format {facts.pixel_format}")
    if facts.orientation != "UPRIGHT":
        found.append("the picture is turned")
    if facts.pixel_aspect[0] != facts.pixel_aspect[1]:
        found.append("the pixels are not square")
    if facts.is_interlaced:
        found.append("interlaced")
    if facts.pictures != 1:
        found.append(f"{facts.pictures} video streams")
    if facts.fps is None or facts.fps > FASTEST_FPS + _FPS_SLACK:
        found.append(f"{facts.fps or 'unknown'} frames per second")
    if facts.has_hidden_start:
        found.append("hidden pictures at a cut")
    if facts.keyframe_gap_s is not None and facts.keyframe_gap_s > LONGEST_KEYFRAME_GAP_S:
        found.append(f"{facts.keyframe_gap_s:.1f} s between key frames")
    if facts.longest_picture_s is not None and facts.longest_picture_s > LONGEST_PICTURE_S:
        found.append(f"a picture stands for {facts.longest_picture_s:.1f} s")
    return found


def fitted(size: tuple[int, int], largest_height: int) -> tuple[int, int]:
    """Not larger than allowed on its shorter side, in even numbers, in the same proportion."""
    width, height = size
    factor = min(1.0, largest_height / min(width, height))
    return _even(width * factor), _even(height * factor)


def _even(length: float) -> int:
    return max(SMALLEST_SIDE, 2 * floor(length / 2 + 0.5))
