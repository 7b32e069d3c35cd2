"""Technique clips as analyzers find them, and which of them may be published. Pure."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from sightline.contracts.technique_events import (
    Category,
    EventCandidate,
    TechniqueDetected,
    candidate_id,
    clock_time,
    event_id,
)

_CATEGORIES = frozenset(category.value for category in Category)
_MAX_SECOND = 999_999 * 3600


@dataclass(frozen=True, slots=True)
class TechniqueClip:
    start_frame: int
    end_frame: int
    category: str | None
    specific_technique: str
    role: str
    confidence: float
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class RejectedClip:
    """A clip that is not published, and why."""

    clip: TechniqueClip
    reason: str


@dataclass(slots=True)
class CheckedClips:
    kept: list[TechniqueClip] = field(default_factory=list)
    left_out: list[RejectedClip] = field(default_factory=list)


def check_clips(clips: Iterable[TechniqueClip], *, fps: float = 0.0, duration_ms: int | None = None) -> CheckedClips:
    """Keeps the clips that the contract allows; the others are listed with a reason, never dropped silently (rows 12, 13)."""
    found = CheckedClips()
    for clip in clips:
        reason = _rejection_reason(clip) or past_the_end(clip.start_frame, clip.end_frame, fps, duration_ms)
        if reason is None:
            found.kept.append(clip)
        else:
            found.left_out.append(RejectedClip(clip, reason))
    return found


def _rejection_reason(clip: TechniqueClip) -> str | None:
    if clip.category not in _CATEGORIES:
        return "no category" if not clip.category else f"unknown category {clip.category!r}"
    if not 0.0 <= clip.confidence <= 1.0:  # false for NaN too
        return f"confidence {clip.confidence} is not between 0 and 1"
    if clip.start_frame < 0 or clip.end_frame < clip.start_frame:
        return f"frames {clip.start_frame} to {clip.end_frame} are not a valid range"
    return None


def past_the_end(start_frame: int, end_frame: int, fps: float, duration_ms: int | None) -> str | None:
    """Why these frames do not lie within a video of this length; None if they do, or if it is not known.

    Messages have whole seconds, so a clip may end in the second in which the video ends.
    """
    if duration_ms is None or not fps > 0 or not math.isfinite(fps):
        return None
    start_s, end_s, last_s = start_frame / fps, end_frame / fps, math.ceil(duration_ms / 1000)
    length = f"the video is {duration_ms / 1000:g} s long"
    if start_s * 1000 >= duration_ms:
        return f"it starts at {start_s:g} s, and {length}"
    if end_s > last_s:
        return f"it ends at {end_s:g} s, and {length}"
    return None


def clock_at(frame: int, fps: float) -> str:
    """The time of a frame as `HH:MM:SS`, rounded down; `00:00:00` without a valid frame rate (rows 8, 9)."""
    if not fps > 0 or not math.isfinite(fps) or frame <= 0:
        return clock_time(0)
    return clock_time(math.floor(min(frame / fps, _MAX_SECOND)))


def event_message_of(clip: TechniqueClip, *, video_id: UUID, job_id: str, index: int, fps: float) -> TechniqueDetected:
    """The event of a clip; always the same for the same job and index."""
    candidate = EventCandidate(
        id=candidate_id(job_id, index),
        role=plain_text(clip.role),
        skill_name=plain_text(clip.specific_technique),
        category=Category(clip.category or ""),
        confidence=clip.confidence,
    )
    return TechniqueDetected(
        id=event_id(job_id, index),
        video_id=video_id,
        start_time=clock_at(clip.start_frame, fps),
        end_time=clock_at(clip.end_frame, fps),
        event_candidates=(candidate,),
    )


def plain_text(text: str) -> str:
    """Without control characters, which queues and databases refuse and a model may return."""
    return "".join(character if character.isprintable() else " " for character in text).strip()
