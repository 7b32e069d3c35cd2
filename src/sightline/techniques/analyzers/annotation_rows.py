"""Annotated clips from people or other tools, parsed from JSON or CSV; errors name the line. Pure.

JSON: `{"fps": 30, "match_summary": "…", "clips": [{…}, …]}`, or the bare list. CSV: a header and one clip per line.
A clip has its time as `start` and `end` (seconds, or `[HH:]MM:SS[.mmm]`), or as `start_frame` and `end_frame`, and its
content as `category`, `technique`, `role`, `confidence` (1 by default) and `reasoning`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sightline.techniques.clip import TechniqueClip, past_the_end
from sightline.techniques.rows import (
    RowError,
    check_fields,
    first_value,
    frame_of,
    frame_rate,
    number_of,
    open_rows,
    parse_rows,
    seconds_of,
    text_of,
)

FPS_IF_UNKNOWN = 1000.0
"""Annotations of a video without a known frame rate count one frame per millisecond."""
_FIELDS = frozenset(
    {"start", "end", "start_frame", "end_frame", "category", "technique", "specific_technique", "skill_name"}
    | {"role", "confidence", "reasoning"}
)


@dataclass(frozen=True, slots=True)
class AnnotatedClips:
    clips: list[TechniqueClip]
    fps: float
    match_summary: str


def read_annotations(
    content: bytes, *, name: str, video_fps: float | None, duration_ms: int | None = None
) -> AnnotatedClips:
    """Returns all clips, or raises one error that names every invalid line (up to twenty).

    Clips beyond the end of a video whose length is known are invalid.
    """
    file = open_rows(content, name=name)
    fps = frame_rate(file, video_fps)
    clips = parse_rows(file, lambda row: _clip(row, fps, duration_ms))
    clips.sort(key=lambda clip: (clip.start_frame, clip.end_frame))
    summary = file.header.get("match_summary")
    return AnnotatedClips(clips, fps or FPS_IF_UNKNOWN, summary if isinstance(summary, str) else "")


def _clip(row: Mapping[str, Any], fps: float | None, duration_ms: int | None) -> TechniqueClip:
    check_fields(row, _FIELDS)
    start, end = _frame(row, "start", fps), _frame(row, "end", fps)
    if end < start:
        raise RowError("it ends before it starts")
    technique = first_value(row, "technique", "specific_technique", "skill_name")
    confidence = row.get("confidence")
    clip = TechniqueClip(
        start_frame=start,
        end_frame=end,
        category=None if row.get("category") is None else text_of(row["category"], "category").upper(),
        specific_technique=text_of(technique, "technique"),
        role=text_of(row.get("role"), "role"),
        confidence=1.0 if confidence is None else number_of(confidence, "confidence"),
        reasoning="" if row.get("reasoning") is None else text_of(row["reasoning"], "reasoning"),
    )
    if (reason := past_the_end(start, end, fps or FPS_IF_UNKNOWN, duration_ms)) is not None:
        raise RowError(reason)
    return clip


def _frame(row: Mapping[str, Any], side: str, fps: float | None) -> int:
    frame = frame_of(row, side, fps)
    # Rounded, so that a time made from a frame number gives that frame again.
    return round(seconds_of(row[side], side) * (fps or FPS_IF_UNKNOWN)) if frame is None else frame
