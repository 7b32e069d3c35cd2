"""Summary of a video's techniques, per athlete."""

from typing import Literal, Self
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.dependencies import CallerTransaction
from sightline.api.videos import EXAMPLE_ID, VideoId
from sightline.contracts.technique_events import Category
from sightline.techniques import AthleteSummary, TechniqueFilter, list_techniques, status_of, summarize_match
from sightline.techniques.marks import MarkValues, accepted_marks
from sightline.videos import need_video

router = APIRouter(prefix="/videos/{video_id}/techniques", tags=["techniques"])

MAX_SUMMARIZED = 10_000


class CategorySummaryAnswer(BaseModel):
    category: Category = Field(examples=["GUARD_PLAY"])
    ms: int = Field(examples=[31_000], description="Time in it; what overlaps counts once.")
    tried: int = Field(examples=[3])
    finished: int = Field(examples=[1])


class TechniqueCountAnswer(BaseModel):
    name: str = Field(examples=["Scissor Sweep"])
    category: Category = Field(examples=["GUARD_PLAY"])
    tried: int = Field(examples=[3], description="How often it was there, whether it succeeded or not.")
    finished: int = Field(examples=[1], description="How often a person said that it succeeded.")


class AthleteSummaryAnswer(BaseModel):
    role: str = Field(examples=["athlete in blue"])
    ms: int = Field(examples=[45_000])
    categories: list[CategorySummaryAnswer]
    techniques: list[TechniqueCountAnswer]

    @classmethod
    def of(cls, found: AthleteSummary) -> Self:
        return cls.model_validate(found, from_attributes=True)


class MatchSummaryAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    of: Literal["accepted", "analysis", "nothing"] = Field(
        examples=["accepted"],
        description="accepted: what people accepted. analysis: what the newest analysis found, while nothing is accepted.",
    )
    athletes: list[AthleteSummaryAnswer]


@router.get("/summary")
async def summary(tx: CallerTransaction, video_id: VideoId) -> MatchSummaryAnswer:
    """Per athlete: time in each category, and techniques tried and finished."""
    await need_video(tx, video_id)
    accepted = [mark.values for mark in await accepted_marks(tx, video_id)]
    found = accepted or await _of_newest_analysis(tx, video_id)
    athletes = [AthleteSummaryAnswer.of(one) for one in summarize_match(found)]
    return MatchSummaryAnswer(
        video_id=video_id,
        of="accepted" if accepted else "analysis" if found else "nothing",
        athletes=athletes,
    )


async def _of_newest_analysis(tx: CallerTransaction, video_id: UUID) -> list[MarkValues]:
    status = await status_of(tx, video_id)
    if status is None:
        return []
    return [
        MarkValues(
            start_ms=one.start_s * 1000,
            end_ms=(max(one.end_s, one.start_s) + 1) * 1000,
            category=Category(one.category),
            name=one.skill_name,
            role=one.role,
            confidence=one.confidence,
        )
        for one in await list_techniques(tx, status.run_id, TechniqueFilter(), limit=MAX_SUMMARIZED)
    ]
