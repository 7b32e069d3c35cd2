"""The search box: what was on screen or said, and names of videos, techniques and cameras, among what the caller may see."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.search import SearchAnswer, signed_search_answer
from sightline.api.dependencies import CallerTransaction, CurrentPlatform
from sightline.contracts.values import Moment
from sightline.searches import BoxRequest, search_box
from sightline.text import (
    FUZZY_BELOW_EXACT_HITS,
    MAX_QUERY_LENGTH,
    EntityType,
    SearchFilter,
    SearchRequest,
    SegmentKind,
    SortOrder,
)
from sightline.videos import MAX_TAG_LENGTH, MAX_TAGS

DEEPEST_PAGE = 100_000

router = APIRouter(tags=["search"])

_EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")


class SearchQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    q: str = Field(
        "",
        max_length=MAX_QUERY_LENGTH,
        examples=["invoice total"],
        description='Words that must all be there; `"a phrase"`, `prefix*`, `*part*`, `-word`, `said:word`, `shown:word`, '
        "`in:video`, `tag:name`, `kind:speech`, `before:2026-03-01`, `after:2026-03-01`.",
    )
    match: Literal["words", "substring"] = Field(
        "words", examples=["words"], description="`substring` finds q unchanged, anywhere in a text."
    )
    fuzzy: bool | None = Field(
        None,
        examples=[True],
        description="Also find words misread or mistyped by a letter; they come last. Unset: if there are fewer than "
        f"{FUZZY_BELOW_EXACT_HITS} others.",
    )
    meaning: Literal["auto", "off", "only"] = Field(
        "auto",
        examples=["auto"],
        description="`auto`: passages similar in meaning follow the exact results, if that is installed and words find fewer "
        "than 100. `only`: nothing but these. The model that is installed by default knows English alone.",
    )
    entity_type: EntityType | None = Field(None, examples=["hashtag"], description="With an entity of this type.")
    entity_value: str | None = Field(
        None, min_length=1, max_length=200, examples=["#ai"], description="With this entity; case is ignored."
    )
    kind: SegmentKind | None = Field(
        None, examples=["speech"], description="`text`: only what is shown. `speech`: only what is said."
    )
    tag: list[Annotated[str, Field(min_length=1, max_length=2 * MAX_TAG_LENGTH)]] = Field(
        default_factory=list,
        max_length=MAX_TAGS,
        examples=[["lectures"]],
        description="In videos with this tag; may be repeated.",
    )
    video_id: UUID | None = Field(None, examples=[_EXAMPLE_VIDEO], description="In this video.")
    team_id: UUID | None = Field(None, examples=[None], description="In videos of this team.")
    language: str | None = Field(None, max_length=20, examples=["eng"], description="Read as this language.")
    from_ms: int | None = Field(None, ge=0, le=2**31 - 1, examples=[0], description="On screen after this time.")
    until_ms: int | None = Field(None, ge=0, le=2**31 - 1, examples=[60_000], description="On screen before this time.")
    created_from: Moment | None = Field(
        None, examples=["2026-01-01T00:00:00Z"], description="In videos created at this time or later."
    )
    created_until: Moment | None = Field(None, examples=[None], description="In videos created before this time.")
    sort: SortOrder = Field(
        "best",
        examples=["best"],
        description="`best` first; `newest` or `oldest` video first; by `time` in the video, newest video first.",
    )
    group: Literal["none", "video"] = Field(
        "none", examples=["video"], description="`video`: one entry per video, with its best results."
    )
    facets: bool = Field(
        False, examples=[True], description="Also count results by kind, language, video, tag and month."
    )
    page: int = Field(1, ge=1, le=DEEPEST_PAGE, examples=[1], description="Page number.")
    page_size: int = Field(20, ge=1, le=100, examples=[20], description="Results per page.")

    def to_box(self) -> BoxRequest:
        return BoxRequest(
            self._to_search(),
            tags=tuple(self.tag),
            sort=self.sort,
            is_grouped=self.group == "video",
            has_facets=self.facets,
        )

    def _to_search(self) -> SearchRequest:
        return SearchRequest(
            q=self.q,
            match=self.match,
            is_fuzzy=self.fuzzy,
            filters=SearchFilter(
                video_id=self.video_id,
                team_id=self.team_id,
                language=self.language,
                entity_type=self.entity_type,
                entity_value=self.entity_value,
                from_ms=self.from_ms,
                until_ms=self.until_ms,
                created_from=self.created_from,
                created_until=self.created_until,
                kind=self.kind,
            ),
            page=self.page,
            page_size=self.page_size,
        )


@router.get("/search")
async def search_text(
    platform: CurrentPlatform, tx: CallerTransaction, query: Annotated[SearchQuery, Query()]
) -> SearchAnswer:
    """Search what was on screen or said, and names, in COMPLETED videos of the caller and the caller's teams."""
    asked = query.to_box()
    found = await search_box(tx, asked, meaning=platform.meaning, mode=query.meaning)
    return await signed_search_answer(
        tx, asked, found, platform.objects, expires_s=platform.settings.media.download_expiry_s
    )
