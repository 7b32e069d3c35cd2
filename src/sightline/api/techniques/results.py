"""Techniques of a video: results and progress of analyses, and clips marked by hand."""

from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.paged import PagedAnswerWithNext
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.videos import EXAMPLE_ID, VideoId, need_own_video
from sightline.contracts.technique_events import Category, clock_time
from sightline.errors import InvalidInput, NotFound
from sightline.objects import annotation_keys
from sightline.paging import page_of
from sightline.techniques import (
    AnalysisStatus,
    Technique,
    TechniqueFilter,
    list_techniques,
    read_annotations,
    status_of,
)
from sightline.timing import iso_utc
from sightline.videos import need_video

router = APIRouter(prefix="/videos/{video_id}", tags=["techniques"])

_EXAMPLE_EVENT = UUID("f6e5d4c3-b2a1-5987-9edc-ba0987654321")


class TechniqueAnswer(BaseModel):
    id: UUID = Field(examples=[_EXAMPLE_EVENT])
    event_index: int = Field(examples=[3])
    start_time: str = Field(examples=["00:01:23"])
    end_time: str = Field(examples=["00:01:45"])
    t_start: int = Field(examples=[83_000], description="Start for a clip, in ms; see t_end.")
    t_end: int = Field(examples=[106_000])
    category: str = Field(examples=["STANDUP_GAME"])
    skill_name: str = Field(examples=["Double Leg Takedown"])
    role: str = Field(examples=["athlete in white gi"])
    confidence: float = Field(examples=[0.85])

    @classmethod
    def of(cls, found: Technique) -> Self:
        return cls(
            id=found.id,
            event_index=found.event_index,
            start_time=clock_time(found.start_s),
            end_time=clock_time(found.end_s),
            t_start=found.start_s * 1000,
            # Times are cut to whole seconds, so what was shown ends within the second that is named.
            t_end=(max(found.end_s, found.start_s) + 1) * 1000,
            category=found.category,
            skill_name=found.skill_name,
            role=found.role,
            confidence=found.confidence,
        )


class TechniquesAnswer(PagedAnswerWithNext):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    job_id: str | None = Field(examples=["0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"], description="Id of the analysis.")
    finalized: bool = Field(examples=[True], description="Whether all results have arrived.")
    techniques: list[TechniqueAnswer]


class AnalysisAnswer(BaseModel):
    """The status row of document 000."""

    video_id: UUID = Field(examples=[EXAMPLE_ID])
    job_id: str | None = Field(examples=["0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"])
    total_event_count: int = Field(examples=[12])
    received_count: int = Field(examples=[12])
    completion_received: bool = Field(examples=[True])
    result_s3_uri: str | None = Field(examples=["s3://fiapx-videos/results/1.json"])
    finalized: bool = Field(examples=[True])
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    updated_at: str = Field(examples=["2026-01-17T10:00:01.000Z"])
    finalized_at: str | None = Field(examples=["2026-01-17T10:00:01.000Z"])
    totals_disagree: bool = Field(
        examples=[False], description="Events and completion reported different totals; the completion's counts."
    )
    stray_events: int = Field(
        examples=[0],
        description="Events of the video that belong to none of its analyses: they came after the end, or wait for one.",
    )
    summary: dict[str, Any] | None = Field(
        examples=[{"GUARD_PLAY": {"techniques": 2, "seconds": 31, "confidence": 0.8}}],
        description="Techniques by category, once finalized.",
    )

    @classmethod
    def of(cls, found: AnalysisStatus) -> Self:
        return cls(
            video_id=found.video_id,
            job_id=found.job_id,
            total_event_count=found.total_event_count,
            received_count=found.received_count,
            completion_received=found.completion_received,
            result_s3_uri=found.result_s3_uri,
            finalized=found.finalized,
            created_at=iso_utc(found.created_at),
            updated_at=iso_utc(found.updated_at),
            finalized_at=None if found.finalized_at is None else iso_utc(found.finalized_at),
            totals_disagree=found.totals_disagree,
            stray_events=found.stray_events,
            summary=found.summary,
        )


class MarkedAnswer(BaseModel):
    clips: int = Field(examples=[12], description="Number of marked clips.")


class TechniquesQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    category: list[Category] = Field(
        default=[], examples=[["GUARD_PLAY"]], description="Only these categories; may be repeated."
    )
    role: str | None = Field(None, max_length=200, examples=["white gi"], description="Only of this role.")
    skill: str | None = Field(None, max_length=200, examples=["takedown"], description="Only with this in the name.")
    min_confidence: float = Field(0.0, ge=0, le=1, examples=[0.5], description="Minimum confidence.")
    from_s: int | None = Field(
        None, ge=0, le=2**31 - 1, examples=[60], description="Only those that end at this time or later."
    )
    until_s: int | None = Field(
        None, ge=0, le=2**31 - 1, examples=[120], description="Only those that start at this time or earlier."
    )
    job_id: str | None = Field(None, max_length=64, examples=[None], description="Of this analysis, not of the newest.")
    limit: int = Field(100, ge=1, le=1000, examples=[100], description="Maximum number of results.")
    cursor: str | None = Field(
        None, pattern=r"^\d{1,9}_\d{1,9}$", examples=["83_3"], description="`next_cursor` of the previous page."
    )


@router.get("/techniques")
async def techniques(
    tx: CallerTransaction, video_id: VideoId, query: Annotated[TechniquesQuery, Query()]
) -> TechniquesAnswer:
    """The techniques that an analysis found, by time."""
    status = await _status(tx, video_id, query.job_id)
    filters = TechniqueFilter(
        categories=tuple(category.value for category in query.category),
        role=query.role,
        skill=query.skill,
        min_confidence=query.min_confidence,
        from_s=query.from_s,
        until_s=query.until_s,
    )
    after = None
    if query.cursor is not None:
        start, _, index = query.cursor.partition("_")
        after = (int(start), int(index))
    found = await list_techniques(tx, status.run_id, filters, limit=query.limit + 1, after=after)
    page = page_of(found, query.limit, lambda one: f"{one.start_s}_{one.event_index}")
    return TechniquesAnswer(
        video_id=video_id,
        job_id=status.job_id,
        finalized=status.finalized,
        techniques=[TechniqueAnswer.of(one) for one in page.items],
        next_cursor=page.next_cursor,
    )


@router.get("/analysis")
async def analysis(
    tx: CallerTransaction,
    video_id: VideoId,
    job_id: Annotated[
        str | None, Query(max_length=64, examples=[None], description="Of this analysis, not of the newest.")
    ] = None,
) -> AnalysisAnswer:
    """Progress of an analysis of the video."""
    return AnalysisAnswer.of(await _status(tx, video_id, job_id))


@router.put("/annotations")
async def annotations(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId
) -> MarkedAnswer:
    """Mark clips by hand, as JSON or as CSV (`text/csv`); the analyzer `annotations` returns them. Replaces earlier marks."""
    video = await need_own_video(platform, caller, video_id)
    as_json, as_csv = annotation_keys(video_id)
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind not in {"application/json", "text/csv"}:
        raise InvalidInput(f"send clips as application/json or text/csv, not as {kind}")
    key, other = (as_csv, as_json) if kind == "text/csv" else (as_json, as_csv)
    content = await request.body()
    marked = read_annotations(
        content, name=key.rpartition("/")[2], video_fps=video.fps, duration_ms=video.measured_duration_ms
    )
    await platform.objects.put(key, content, content_type=kind)
    await platform.objects.delete([other])
    return MarkedAnswer(clips=len(marked.clips))


async def _status(tx: CallerTransaction, video_id: UUID, job_id: str | None) -> AnalysisStatus:
    if job_id is not None and "\0" in job_id:
        raise InvalidInput("job_id: contains a NUL character")
    await need_video(tx, video_id)
    found = await status_of(tx, video_id, job_id=job_id)
    if found is None:
        which = "" if job_id is None else f" by job {job_id}"
        raise NotFound(f"no analysis of video {video_id}{which} has arrived", code="ANALYSIS_NOT_FOUND")
    return found
