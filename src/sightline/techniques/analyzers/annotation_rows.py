"""Annotated clips from people or other tools, parsed from JSON or CSV; errors name the line. Pure.

JSON: `{"fps": 30, "match_summary": "…", "clips": [{…}, …]}`, or the bare list. CSV: a header and one clip per line.
A clip has its time as `start` and `end` (seconds, or `[HH:]MM:SS[.mmm]`), or as `start_frame` and `end_frame`, and its
content as `category`, `technique`, `role`, `confidence` (1 by default) and `reasoning`.
"""

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sightline.errors import InvalidInput
from sightline.techniques.clip import TechniqueClip, past_the_end

MAX_REPORTED_ERRORS = 20
FPS_IF_UNKNOWN = 1000.0
"""Annotations of a video without a known frame rate count one frame per millisecond."""
_CLOCK = re.compile(r"(?:(\d{1,6}):)?([0-5]?\d):([0-5]\d(?:\.\d{1,6})?)")
_FIELDS = frozenset(
    {"start", "end", "start_frame", "end_frame", "category", "technique", "specific_technique", "skill_name"}
    | {"role", "confidence", "reasoning"}
)


@dataclass(frozen=True, slots=True)
class AnnotatedClips:
    clips: list[TechniqueClip]
    fps: float
    match_summary: str


class _RowError(Exception):
    pass


@dataclass(frozen=True, slots=True)
class _VideoFacts:
    fps: float | None
    duration_ms: int | None


def read_annotations(
    content: bytes, *, name: str, video_fps: float | None, duration_ms: int | None = None
) -> AnnotatedClips:
    """Returns all clips, or raises one error that names every invalid line (up to twenty).

    Clips beyond the end of a video whose length is known are invalid.
    """
    video = _VideoFacts(video_fps, duration_ms)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name}: not UTF-8 at byte {error.start}") from error
    if "\0" in text:
        raise InvalidInput(f"{name}: contains a NUL character")
    if name.endswith(".csv"):
        return _parse_rows(name, _csv_rows(name, text), None, video, "")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name}: not JSON: {error}") from error
    whole = {"clips": found} if isinstance(found, list) else found
    if not isinstance(whole, dict) or not isinstance(whole.get("clips"), list):
        raise InvalidInput(f"{name}: neither a list of clips nor an object with `clips`")
    summary = whole.get("match_summary")
    rows = ((f"clip {number}", row) for number, row in enumerate(whole["clips"], start=1))
    return _parse_rows(name, rows, whole.get("fps"), video, summary if isinstance(summary, str) else "")


def _csv_rows(name: str, text: str) -> Iterator[tuple[str, Any]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        header = reader.fieldnames
        if header is None:
            raise InvalidInput(f"{name}: line 1: no header")
        reader.fieldnames = [column.strip().lower() for column in header]
        for row in reader:
            if None in row:
                yield f"line {reader.line_num}", _RowError("more fields than the header names")
            elif None in row.values():
                yield f"line {reader.line_num}", _RowError("fewer fields than the header names")
            else:
                yield f"line {reader.line_num}", {key: value.strip() or None for key, value in row.items()}
    except csv.Error as error:
        raise InvalidInput(f"{name}: line {reader.line_num + 1}: {error}") from error


def _parse_rows(
    name: str, rows: Iterator[tuple[str, Any]], own_fps: Any, video: _VideoFacts, summary: str
) -> AnnotatedClips:
    known: float | None
    try:
        known = video.fps if own_fps is None else _number(own_fps, "fps")
    except _RowError as error:
        raise InvalidInput(f"{name}: {error}") from None
    if known is not None and known <= 0:
        raise InvalidInput(f"{name}: fps must be above 0")
    clips: list[TechniqueClip] = []
    errors: list[dict[str, str]] = []
    for where, row in rows:
        try:
            clip = _clip(row, known)
            fps = known or FPS_IF_UNKNOWN
            if (reason := past_the_end(clip.start_frame, clip.end_frame, fps, video.duration_ms)) is not None:
                raise _RowError(reason)
            clips.append(clip)
        except _RowError as error:
            errors.append({"where": where, "message": str(error)})
    if errors:
        shown = "; ".join(f"{one['where']}: {one['message']}" for one in errors[:MAX_REPORTED_ERRORS])
        more = f"; and {len(errors) - MAX_REPORTED_ERRORS} more" if len(errors) > MAX_REPORTED_ERRORS else ""
        raise InvalidInput(f"{name}: {shown}{more}", details={"errors": errors[:MAX_REPORTED_ERRORS]})
    clips.sort(key=lambda clip: (clip.start_frame, clip.end_frame))
    return AnnotatedClips(clips, known or FPS_IF_UNKNOWN, summary)


def _clip(row: Any, fps: float | None) -> TechniqueClip:
    if isinstance(row, _RowError):
        raise row
    if not isinstance(row, Mapping):
        raise _RowError("not an object")
    if unknown := sorted(str(key) for key in row if key not in _FIELDS):
        raise _RowError(f"unknown field {', '.join(unknown)}")
    start, end = _frame(row, "start", fps), _frame(row, "end", fps)
    if end < start:
        raise _RowError("it ends before it starts")
    technique = next(
        (value for field in ("technique", "specific_technique", "skill_name") if (value := row.get(field)) is not None),
        None,
    )
    confidence = row.get("confidence")
    return TechniqueClip(
        start_frame=start,
        end_frame=end,
        category=None if row.get("category") is None else _text(row["category"], "category").upper(),
        specific_technique=_text(technique, "technique"),
        role=_text(row.get("role"), "role"),
        confidence=1.0 if confidence is None else _number(confidence, "confidence"),
        reasoning="" if row.get("reasoning") is None else _text(row["reasoning"], "reasoning"),
    )


def _frame(row: Mapping[str, Any], side: str, fps: float | None) -> int:
    frame, moment = row.get(f"{side}_frame"), row.get(side)
    if (frame is None) == (moment is None):
        raise _RowError(f"it needs one of {side} and {side}_frame")
    if frame is not None:
        if fps is None:
            raise _RowError(f"{side}_frame: the frame rate is not known; say fps, or give times")
        number = _number(frame, f"{side}_frame")
        if number < 0 or number != math.floor(number):
            raise _RowError(f"{side}_frame: {frame!r} is not a frame number")
        return int(number)
    # Rounded, so that a time made from a frame number gives that frame again.
    return round(_seconds(moment, side) * (fps or FPS_IF_UNKNOWN))


def _seconds(value: Any, field: str) -> float:
    if isinstance(value, str) and (found := _CLOCK.fullmatch(value.strip())):
        return int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])
    number = _number(value, field)
    if not 0 <= number <= 1e9:
        raise _RowError(f"{field}: {value!r} is not a time in a video")
    return number


def _number(value: Any, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _RowError(f"{field}: a number is needed")
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise _RowError(f"{field}: {value!r} is not a number") from None
    if not math.isfinite(number):
        raise _RowError(f"{field}: {value!r} is not a number")
    return number


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _RowError(f"{field}: a text is needed")
    if len(value) > 2000:
        raise _RowError(f"{field}: longer than 2000 characters")
    return value.strip()
