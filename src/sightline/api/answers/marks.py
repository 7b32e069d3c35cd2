"""Responses about marks of techniques."""

from typing import Self
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.contracts.technique_events import Category
from sightline.techniques.marks import FoundValues, MarkPublication, MarkState, Review, TechniqueMark
from sightline.timing import iso_utc

EXAMPLE_MARK = UUID("5d0c8d3f-5f5a-4c1f-8e90-c5b0bb4e4a3c")
_EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
_EXAMPLE_JOB = "0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"
_EXAMPLE_TIME = "2026-01-17T10:00:00.000Z"


class FoundAnswer(BaseModel):
    """A technique as an analyzer found it."""

    t_start: int = Field(examples=[83_000], description="In ms of the video's time, like t_end.")
    t_end: int = Field(examples=[105_500])
    category: Category = Field(examples=["GUARD_PLAY"])
    name: str = Field(examples=["Scissor Sweep"])
    role: str = Field(examples=["athlete in blue"])
    confidence: float = Field(examples=[0.85])

    @classmethod
    def of_values(cls, values: FoundValues) -> Self:
        return cls(
            t_start=values.start_ms,
            t_end=values.end_ms,
            category=values.category,
            name=values.name,
            role=values.role,
            confidence=values.confidence,
        )


class TechniqueMarkAnswer(FoundAnswer):
    id: UUID = Field(examples=[EXAMPLE_MARK])
    version: int = Field(examples=[1], description="A change names the version that it expects.")
    state: MarkState = Field(examples=["candidate"], description="candidate, accepted or rejected.")
    finished: bool | None = Field(examples=[True], description="Whether it succeeded; null if nobody said.")
    note: str = Field(examples=["the legs cross"])
    analyzer: str | None = Field(examples=["pose"], description="What found it; null if a person marked it.")
    job_id: str | None = Field(examples=[_EXAMPLE_JOB], description="The analysis that found it.")
    is_edited: bool = Field(examples=[False], description="Whether a person changed what was found.")
    original: FoundAnswer | None = Field(examples=[None], description="What was found; null if a person marked it.")
    changed_by: UUID | None = Field(examples=[None], description="Who changed it last; null if no person has.")
    changed_at: str = Field(examples=[_EXAMPLE_TIME])

    @classmethod
    def of(cls, mark: TechniqueMark) -> Self:
        values = mark.values
        return cls(
            **FoundAnswer.of_values(values).model_dump(),
            id=mark.id,
            version=mark.version,
            state=values.state,
            finished=values.finished,
            note=values.note,
            analyzer=mark.analyzer,
            job_id=mark.job_id,
            is_edited=mark.is_edited,
            original=None if mark.original is None else FoundAnswer.of_values(mark.original),
            changed_by=mark.changed_by,
            changed_at=iso_utc(mark.changed_at),
        )


class PublicationAnswer(BaseModel):
    """The accepted marks that were published last."""

    job_id: UUID = Field(examples=[_EXAMPLE_JOB], description="`GET /jobs/{job_id}` shows how far it is.")
    revision: int = Field(
        examples=[7], description="What was published; the marks have changed since if theirs is higher."
    )
    total_event_count: int = Field(examples=[12])
    published_at: str = Field(examples=[_EXAMPLE_TIME])
    published_by: UUID = Field(examples=[_EXAMPLE_VIDEO])

    @classmethod
    def of(cls, found: MarkPublication) -> Self:
        return cls(
            job_id=found.job_id,
            revision=found.revision,
            total_event_count=found.total,
            published_at=iso_utc(found.at),
            published_by=found.by,
        )


class TechniqueMarksAnswer(BaseModel):
    video_id: UUID = Field(examples=[_EXAMPLE_VIDEO])
    revision: int = Field(examples=[7], description="Counts the changes of the video's marks; 0 before the first.")
    can_change: bool = Field(examples=[True], description="Whether the caller may mark, correct and publish.")
    published: PublicationAnswer | None = Field(examples=[None], description="Null before the first publication.")
    marks: list[TechniqueMarkAnswer]

    @classmethod
    def of(cls, video_id: UUID, review: Review, marks: list[TechniqueMark], *, can_change: bool) -> Self:
        return cls(
            video_id=video_id,
            revision=review.revision,
            can_change=can_change,
            published=None if review.published is None else PublicationAnswer.of(review.published),
            marks=[TechniqueMarkAnswer.of(mark) for mark in marks],
        )


class ImportedMarksAnswer(BaseModel):
    added: int = Field(examples=[12])
    changed: int = Field(examples=[0], description="Marks of the video that the file changed, by their ids.")
    unchanged: int = Field(examples=[0], description="Rows that the video has already.")


class PublishingAnswer(BaseModel):
    job_id: UUID = Field(examples=[_EXAMPLE_JOB])
    total_event_count: int = Field(examples=[12], description="N: so many events, then one completion.")
