"""Marks: techniques of a video, found by an analyzer or marked by a person, and what people decided about them. Pure."""

import math
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sightline.contracts.technique_events import Category
from sightline.errors import InvalidInput
from sightline.techniques.clip import TechniqueClip, past_the_end, plain_text

MAX_MARKS = 10_000
"""Of one video."""
MAX_NAME_LENGTH = 200
MAX_NOTE_LENGTH = 2000
MS_PER_S = 1000.0
"""Marks have times in milliseconds: as clips, they count one frame per millisecond."""


class MarkState(StrEnum):
    CANDIDATE = "candidate"
    """Found by an analyzer; no person has decided about it."""
    ACCEPTED = "accepted"
    """A person vouches for it: it is published, counted in summaries and cut into reels."""
    REJECTED = "rejected"
    """A person says that it is not there."""


@dataclass(frozen=True, slots=True)
class FoundValues:
    """A technique as an analyzer found it."""

    start_ms: int
    end_ms: int
    category: Category
    name: str
    role: str
    confidence: float

    @classmethod
    def of_json(cls, value: dict[str, Any]) -> "FoundValues":
        return cls(**{**value, "category": Category(value["category"])})


@dataclass(frozen=True, slots=True)
class MarkValues(FoundValues):
    """What a person can change of a mark."""

    note: str = ""
    finished: bool | None = None
    """Whether the technique succeeded; None if nobody said."""
    state: MarkState = MarkState.ACCEPTED

    @property
    def found(self) -> FoundValues:
        return FoundValues(**{name: getattr(self, name) for name in FOUND_FIELDS})


@dataclass(frozen=True, slots=True)
class NewMark:
    values: MarkValues
    analyzer: str | None = None
    """None for a mark that a person made."""
    job_id: str | None = None
    event_index: int | None = None
    original: FoundValues | None = None


@dataclass(frozen=True, slots=True)
class TechniqueMark:
    id: UUID
    video_id: UUID
    values: MarkValues
    analyzer: str | None
    job_id: str | None
    event_index: int | None
    original: FoundValues | None
    version: int
    created_by: UUID | None
    created_at: datetime
    changed_by: UUID | None
    """Who changed it last; None if no person has."""
    changed_at: datetime
    removed_at: datetime | None

    @property
    def is_edited(self) -> bool:
        """Whether a person changed what an analyzer found."""
        return self.original is not None and self.original != self.values.found

    def to_clip(self) -> TechniqueClip:
        values = self.values
        return TechniqueClip(
            start_frame=values.start_ms,
            end_frame=values.end_ms,
            category=values.category.value,
            specific_technique=values.name,
            role=values.role,
            confidence=values.confidence,
            reasoning=values.note,
        )


FOUND_FIELDS = tuple(field.name for field in fields(FoundValues))


def values_problem(values: MarkValues, *, duration_ms: int | None) -> str | None:
    """Why a video of this length cannot have a mark with these values; None if it can."""
    if values.end_ms < values.start_ms:
        return "it ends before it starts"
    return past_the_end(values.start_ms, values.end_ms, MS_PER_S, duration_ms)


def check_values(values: MarkValues, *, duration_ms: int | None) -> None:
    if (problem := values_problem(values, duration_ms=duration_ms)) is not None:
        raise InvalidInput(f"the mark cannot be stored: {problem}")


def candidate_of(clip: TechniqueClip, *, fps: float, analyzer: str, job_id: str, index: int) -> NewMark:
    """The candidate for a clip that was checked before: its category and its times are valid."""
    ms_per_frame = MS_PER_S / fps if fps > 0 and math.isfinite(fps) else 0.0
    found = FoundValues(
        start_ms=round(clip.start_frame * ms_per_frame),
        end_ms=round(clip.end_frame * ms_per_frame),
        category=Category(clip.category or ""),
        name=clip.specific_technique,
        role=clip.role,
        confidence=clip.confidence,
    )
    return candidate(found, analyzer=analyzer, job_id=job_id, index=index, note=clip.reasoning)


def candidate(found: FoundValues, *, analyzer: str, job_id: str, index: int, note: str = "") -> NewMark:
    """A candidate whose texts are those that a person could have given."""
    found = replace(
        found,
        name=plain_text(found.name)[:MAX_NAME_LENGTH] or "unknown",
        role=plain_text(found.role)[:MAX_NAME_LENGTH] or "unknown",
    )
    values = MarkValues(**asdict(found), note=plain_text(note)[:MAX_NOTE_LENGTH], state=MarkState.CANDIDATE)
    return NewMark(values, analyzer, job_id, index, found)
