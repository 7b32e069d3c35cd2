"""Search results as JSON, as the API and the command line return them."""

import asyncio
from collections.abc import Iterable
from typing import Self
from urllib.parse import quote
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.api.answers.text import EXAMPLE_VIDEO, HitAnswer, MarkAnswer, PageAnswer
from sightline.db import Transaction
from sightline.objects import ObjectStore, frame_key, poster_key
from sightline.searches import BoxRequest, BoxResults, NamedHit
from sightline.text import Facet, HitKind, SearchHit, VideoGroup
from sightline.timing import iso_utc
from sightline.videos import videos_without_frames


class NamedHitAnswer(BaseModel):
    """A video, technique or camera that is found by its name."""

    kind: HitKind = Field(examples=["video"], description="`video`, `technique` or `camera`.")
    name: str = Field(examples=["lecture.mp4"])
    highlights: list[MarkAnswer] = Field(description="Positions of the matched words in the name.")
    video_id: UUID | None = Field(examples=[EXAMPLE_VIDEO], description="Of a camera: null.")
    video_name: str | None = Field(examples=["lecture.mp4"])
    camera_id: str | None = Field(examples=[None])
    t_start: int | None = Field(examples=[None], description="When a technique is first seen, in ms of the video.")
    times: int | None = Field(examples=[None], description="How often a technique is in the video.")
    excerpt: str | None = Field(examples=[None], description="The description of the video, if the words are there.")
    tags: list[str] = Field(examples=[["lectures"]])
    created_at: str | None = Field(examples=["2026-01-17T10:00:00.000Z"], description="Of the video.")
    thumbnail_url: str | None = Field(examples=[None], description="URL of the video's poster; expires.")
    page_url: str = Field(examples=[f"/ui/videos/{EXAMPLE_VIDEO}"], description="Address of the page.")

    @classmethod
    def of(cls, hit: NamedHit, *, thumbnail_url: str | None) -> Self:
        at = "" if hit.t_start is None else f"?t={hit.t_start / 1000:g}&tab=techniques"
        is_camera = hit.camera_id is not None
        return cls(
            kind=hit.kind,
            name=hit.name,
            highlights=[MarkAnswer(start=start, end=end) for start, end in hit.spans],
            video_id=hit.video_id,
            video_name=hit.video_name,
            camera_id=hit.camera_id,
            t_start=hit.t_start,
            times=hit.times,
            excerpt=hit.excerpt,
            tags=list(hit.tags),
            created_at=None if hit.created_at is None else iso_utc(hit.created_at),
            thumbnail_url=thumbnail_url,
            page_url=f"/ui/cameras/{quote(hit.camera_id or '')}" if is_camera else f"/ui/videos/{hit.video_id}{at}",
        )


class VideoGroupAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_VIDEO])
    video_name: str = Field(examples=["lecture.mp4"])
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    tags: list[str] = Field(examples=[["lectures"]])
    total: int = Field(examples=[14], description="Number of results in the video.")
    hits: list[HitAnswer] = Field(description="The best of them, in order of time.")


class FacetAnswer(BaseModel):
    value: str = Field(examples=["speech"], description="What to filter by.")
    label: str = Field(examples=["speech"])
    count: int = Field(examples=[12], description="Number of results.")


class FacetsAnswer(BaseModel):
    """How many results are of each kind; the most frequent first, at most 20 values each."""

    kind: list[FacetAnswer] = Field(default_factory=list)
    language: list[FacetAnswer] = Field(default_factory=list)
    video: list[FacetAnswer] = Field(default_factory=list)
    tag: list[FacetAnswer] = Field(default_factory=list)
    month: list[FacetAnswer] = Field(default_factory=list, description="Of the video, such as 2026-03.")

    @classmethod
    def of(cls, facets: Iterable[Facet]) -> Self:
        answer = cls()
        for one in facets:
            getattr(answer, one.facet).append(FacetAnswer(value=one.value, label=one.label, count=one.hits))
        return answer


class SearchAnswer(PageAnswer):
    query: str = Field(examples=["invoice"])
    hits: list[HitAnswer] = Field(description="Texts and speech. Empty if they are grouped.")
    named: list[NamedHitAnswer] = Field(
        default_factory=list, description="Videos, techniques and cameras by name; on the first page."
    )
    groups: list[VideoGroupAnswer] | None = Field(
        None, examples=[None], description="With `group=video`: results by video."
    )
    total_videos: int | None = Field(
        None, examples=[3], description="With `group=video`: number of videos on all pages."
    )
    facets: FacetsAnswer | None = Field(None, examples=[None], description="With `facets=true`.")
    meaning_used: bool = Field(
        False,
        examples=[True],
        description="Whether passages similar in meaning were looked for; false where that is not installed or was not needed.",
    )
    meaning_total: int = Field(
        0,
        examples=[7],
        description="How many results were found by meaning alone; `total` counts them if they are in `hits`.",
    )
    similar: list[HitAnswer] = Field(
        default_factory=list,
        description="Of a search that is grouped, sorted or counted by facets: passages similar in meaning, on the first page.",
    )
    is_partial: bool = Field(
        False, examples=[False], description="Only the best 5,000 results are sorted, grouped and counted by facets."
    )


async def signed_search_answer(
    tx: Transaction, request: BoxRequest, found: BoxResults, objects: ObjectStore, *, expires_s: float
) -> SearchAnswer:
    """Each hit has a signed URL of its frame, valid for a while; of the poster for speech, and if the frames were removed."""
    grouped = [hit for _, hits in found.groups or () for hit in hits]
    without_frames = await videos_without_frames(tx, {hit.row.video_id for hit in [*found.hits, *grouped]})

    async def shown(hit: SearchHit) -> HitAnswer:
        video_id = hit.row.video_id
        has_frame = hit.row.kind == "text" and video_id not in without_frames
        key = frame_key(video_id, hit.row.frame_ms) if has_frame else poster_key(video_id)
        return HitAnswer.of(hit, thumbnail_url=await objects.sign_get(key, expires_s=expires_s))

    async def named(hit: NamedHit) -> NamedHitAnswer:
        key = None if hit.video_id is None else poster_key(hit.video_id)
        url = None if key is None else await objects.sign_get(key, expires_s=expires_s)
        return NamedHitAnswer.of(hit, thumbnail_url=url)

    async def group(video: VideoGroup, hits: list[SearchHit]) -> VideoGroupAnswer:
        return VideoGroupAnswer(
            video_id=video.video_id,
            video_name=video.video_name,
            created_at=iso_utc(video.created_at),
            tags=list(video.tags),
            total=video.hits,
            hits=await asyncio.gather(*map(shown, hits)),
        )

    return SearchAnswer(
        query=request.search.q,
        page=request.search.page,
        page_size=request.search.page_size,
        total=found.total,
        hits=await asyncio.gather(*map(shown, found.hits)),
        named=await asyncio.gather(*map(named, found.named)),
        groups=None if found.groups is None else await asyncio.gather(*(group(*one) for one in found.groups)),
        total_videos=found.total_videos,
        facets=None if found.facets is None else FacetsAnswer.of(found.facets),
        is_partial=found.is_partial,
        meaning_used=found.is_meaning_used,
        meaning_total=found.by_meaning,
        similar=await asyncio.gather(*map(shown, found.similar)),
    )
