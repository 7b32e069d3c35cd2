"""The messages of document 000: one `bjj_event_detected` per technique clip, then one `analysis_complete`."""

from enum import StrEnum
from hashlib import sha1
from typing import Annotated, Any
from uuid import UUID, uuid5

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from sightline.contracts.parsing import parse_model

EVENT_DETECTED = "bjj_event_detected"
ANALYSIS_COMPLETE = "analysis_complete"
FINALIZED_SOURCE = "sightline.techniques"
ANALYSIS_FINALIZED = "Technique Analysis Finalized"
MAX_JOB_ID_LENGTH = 64
MAX_PLAIN_DIGITS = 10

# Must never change: stored events are recognized by ids derived from it.
_ID_SPACE = UUID("c5b0bb4e-4a3c-5d0c-8d3f-5f5a7c1f2e90")
_CLOCK = r"^\d{2,6}:[0-5]\d:[0-5]\d$"

# All bits of a UUIDv5 but version and variant, and the bits of version and variant.
_NAME_BITS = ~((0xF << 76) | (0x3 << 62))
_VERSION_BITS = (5 << 76) | (2 << 62)

AttributeTexts = dict[str, tuple[str, str]]
"""Name → (DataType, value), as the document's tables have them."""


class Category(StrEnum):
    STANDUP_GAME = "STANDUP_GAME"
    GUARD_PLAY = "GUARD_PLAY"
    GUARD_PASSING = "GUARD_PASSING"
    POSITIONAL_DOMINANCE = "POSITIONAL_DOMINANCE"
    SUBMISSION_OFFENSE = "SUBMISSION_OFFENSE"
    DEFENSE_ESCAPES = "DEFENSE_ESCAPES"


def event_id(job_id: str, index: int) -> UUID:
    """The same for the same job and index, so a repeated publication is the same message."""
    return uuid5(_ID_SPACE, f"{job_id}/{index}")


def is_event_id(found: UUID, job_id: str, index: int) -> bool:
    """Same as comparing with `event_id`, at a quarter of the cost: every message is checked against every candidate run."""
    digest = sha1(_ID_SPACE.bytes + f"{job_id}/{index}".encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:16]) & _NAME_BITS | _VERSION_BITS == found.int


def candidate_id(job_id: str, index: int) -> UUID:
    return uuid5(_ID_SPACE, f"{job_id}/{index}/1")


def clock_time(seconds: int) -> str:
    """`HH:MM:SS`."""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def clock_seconds(text: str) -> int:
    """Seconds of a `ClockTime`, which was validated when it was parsed."""
    hours, minutes, seconds = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("contains a NUL character")
    return text


Text = Annotated[str, AfterValidator(_storable)]
ClockTime = Annotated[str, StringConstraints(pattern=_CLOCK)]


class _TechniqueModel(BaseModel):
    # Fields of later versions are ignored.
    model_config = ConfigDict(extra="ignore", frozen=True)


class EventCandidate(_TechniqueModel):
    id: UUID
    role: Text
    skill_name: Text
    category: Category
    confidence: float = Field(ge=0, le=1)


class TechniqueDetected(_TechniqueModel):
    """The body of `bjj_event_detected`."""

    id: UUID
    video_id: UUID
    start_time: ClockTime
    end_time: ClockTime
    event_candidates: tuple[EventCandidate, ...] = Field(min_length=1)

    def attributes(self, *, index: int, total: int) -> AttributeTexts:
        return {
            "event_type": ("String", EVENT_DETECTED),
            "category": ("String", self.event_candidates[0].category.value),
            "event_index": ("Number", str(index)),
            "total_events": ("Number", str(total)),
        }


class AnalysisComplete(_TechniqueModel):
    """The body of `analysis_complete`."""

    video_id: UUID
    job_id: Text = Field(min_length=1, max_length=MAX_JOB_ID_LENGTH)
    total_event_count: int = Field(ge=0, le=2**31 - 1)
    result_s3_uri: Text | None = None

    def attributes(self) -> AttributeTexts:
        return {"event_type": ("String", ANALYSIS_COMPLETE)}


class EventOrdinal(_TechniqueModel):
    """Index of an event in its run, from the message attributes."""

    event_index: int = Field(ge=1, le=2**31 - 1)
    total_events: int = Field(ge=1, le=2**31 - 1)


class AnalysisFinalized(_TechniqueModel):
    """The `detail` of the event sent when every technique of an analysis is stored."""

    video_id: UUID
    job_id: str
    total_event_count: int
    result_s3_uri: str | None
    categories: dict[str, int]
    """Number of techniques per category."""

    def to_detail(self) -> dict[str, Any]:
        return self.model_dump(mode="json")


def parse_technique(text: str) -> TechniqueDetected:
    return parse_model(TechniqueDetected, text, name=EVENT_DETECTED)


def parse_complete(text: str) -> AnalysisComplete:
    return parse_model(AnalysisComplete, text, name=ANALYSIS_COMPLETE)


def parse_event_index(event_index: str | None, total_events: str | None) -> tuple[int, int]:
    """Index and total. Parsed without pydantic in the usual form, because this runs for every message."""
    if event_index and total_events and _is_plain(event_index) and _is_plain(total_events):
        return int(event_index), int(total_events)
    given = {"event_index": event_index, "total_events": total_events}
    present = {name: text for name, text in given.items() if text}
    ordinal = parse_model(EventOrdinal, present, name=f"{EVENT_DETECTED} attributes")
    return ordinal.event_index, ordinal.total_events


def _is_plain(text: str) -> bool:
    """A number from 1 on with few enough digits to be in bounds."""
    return len(text) < MAX_PLAIN_DIGITS and text.isascii() and text.isdecimal() and text[0] != "0"
