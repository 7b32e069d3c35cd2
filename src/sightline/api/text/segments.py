"""The text of one video: its segments, its entities, and a track of captions."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.text import EntitiesAnswer, EntityAnswer, SegmentAnswer, SegmentsAnswer
from sightline.api.dependencies import CallerTransaction
from sightline.api.videos import VideoId
from sightline.text import EntityType, SegmentFilter, SegmentKind, list_entities, list_segments, read_segments, webvtt
from sightline.videos import need_video

MAX_PAGE_SIZE = 1000
DEEPEST_PAGE = 100_000

_EXAMPLE_TRACK = "WEBVTT\n\n1\n00:01:01.500 --> 00:01:04.000\nInvoice total: $1,299.99\n"

router = APIRouter(prefix="/videos/{video_id}", tags=["text"])


class Paged(BaseModel):
    model_config = ConfigDict(extra="forbid")

    page: int = Field(1, ge=1, le=DEEPEST_PAGE, examples=[1], description="Page number.")
    page_size: int = Field(100, ge=1, le=MAX_PAGE_SIZE, examples=[100], description="Results per page.")

    @property
    def skip(self) -> int:
        return (self.page - 1) * self.page_size


class SegmentsQuery(Paged):
    from_ms: int | None = Field(None, ge=0, le=2**31 - 1, examples=[0], description="On screen after this time.")
    until_ms: int | None = Field(None, ge=0, le=2**31 - 1, examples=[60_000], description="On screen before this time.")
    min_confidence: float | None = Field(None, ge=0, le=1, examples=[0.6], description="Minimum confidence.")
    language: str | None = Field(None, max_length=20, examples=["eng"], description="Read as this language.")
    kind: SegmentKind | None = Field(
        None, examples=["speech"], description="`text`: shown on screen. `speech`: said. Unset: both."
    )


class EntitiesQuery(Paged):
    entity_type: EntityType | None = Field(None, examples=["hashtag"], description="Only of this type.")
    value: str | None = Field(None, min_length=1, max_length=200, examples=["#ai"], description="Only this value.")


@router.get("/segments")
async def segments(
    tx: CallerTransaction, video_id: VideoId, query: Annotated[SegmentsQuery, Query()]
) -> SegmentsAnswer:
    """On-screen text and speech by time. Text is there when the video is COMPLETED; speech as it is heard."""
    await need_video(tx, video_id)
    filters = SegmentFilter(query.from_ms, query.until_ms, query.min_confidence, query.language, query.kind)
    found, total = await list_segments(tx, video_id, filters, offset=query.skip, limit=query.page_size)
    shown = [SegmentAnswer.of(one) for one in found]
    return SegmentsAnswer(page=query.page, page_size=query.page_size, total=total, segments=shown)


@router.get("/entities")
async def entities(
    tx: CallerTransaction, video_id: VideoId, query: Annotated[EntitiesQuery, Query()]
) -> EntitiesAnswer:
    """Mentions, hashtags, links, emoji and numbers that were on screen, by time."""
    await need_video(tx, video_id)
    found, total = await list_entities(
        tx, video_id, entity_type=query.entity_type, value=query.value, offset=query.skip, limit=query.page_size
    )
    shown = [EntityAnswer.of(one) for one in found]
    return EntitiesAnswer(page=query.page, page_size=query.page_size, total=total, entities=shown)


@router.get(
    "/captions.vtt",
    response_class=Response,
    responses={200: {"content": {"text/vtt": {"schema": {"type": "string"}, "example": _EXAMPLE_TRACK}}}},
)
async def captions(
    tx: CallerTransaction,
    video_id: VideoId,
    kind: Annotated[
        SegmentKind, Query(description="What is shown on screen, or what is said.", examples=["speech"])
    ] = "text",
) -> Response:
    """The text on screen, or the speech, as a WebVTT track."""
    await need_video(tx, video_id)
    track = webvtt(await read_segments(tx, video_id, kind=kind))
    return Response(track, media_type="text/vtt; charset=utf-8")
