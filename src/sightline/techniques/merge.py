"""Merging of clips of one category that overlap or nearly touch (row 53). Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from sightline.techniques.clip import TechniqueClip

NEAR_FRAMES = 30
"""Clips fewer frames apart than this are merged."""


def merge_near(clips: Iterable[TechniqueClip], *, near_frames: int = NEAR_FRAMES) -> list[TechniqueClip]:
    """Returns clips by start. A merged clip spans its parts and keeps the details of the most confident one."""
    by_category: dict[str | None, list[TechniqueClip]] = defaultdict(list)
    for clip in clips:
        by_category[clip.category].append(clip)
    merged = [one for group in by_category.values() for one in _merge(group, near_frames)]
    return sorted(merged, key=_sort_key)


def _merge(group: list[TechniqueClip], near_frames: int) -> list[TechniqueClip]:
    found: list[TechniqueClip] = []
    for clip in sorted(group, key=_sort_key):
        if found and clip.start_frame - found[-1].end_frame < near_frames:
            last = found[-1]
            better = clip if clip.confidence > last.confidence else last
            found[-1] = replace(better, start_frame=last.start_frame, end_frame=max(last.end_frame, clip.end_frame))
        else:
            found.append(clip)
    return found


def _sort_key(clip: TechniqueClip) -> tuple[int, int, str, str, str]:
    return clip.start_frame, clip.end_frame, clip.category or "", clip.specific_technique, clip.role
