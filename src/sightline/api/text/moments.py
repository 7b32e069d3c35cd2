"""Moments of a video as one ZIP file: those that were chosen, or those that a search finds."""

import re
from functools import partial
from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sightline.api.clips import LATEST_MS
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.errors import Conflict, NotFound
from sightline.media.sampling import VideoMoment, list_frames, moments_archive
from sightline.objects.protocol import attachment_disposition
from sightline.text import MAX_QUERY_LENGTH, SearchFilter, SearchRequest, search_segments
from sightline.text.exports import ExportOptions, export_file_name, read_page
from sightline.timing import iso_utc, utc_now
from sightline.videos import VideoStatus, need_video

MAX_MOMENTS = 200
MAX_TEXTS_OF_MOMENT = 500
SEARCH_PAGE = 100
_FORM = re.compile(r"(\d{1,10})-(\d{1,10})")

router = APIRouter(prefix="/videos/{video_id}", tags=["text"])


class MomentsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    moment: list[str] = Field(
        default_factory=list,
        max_length=MAX_MOMENTS,
        examples=[["1500-3000"]],
        description=f"Start and end in ms; may be repeated, {MAX_MOMENTS} at most.",
    )
    q: str | None = Field(
        None,
        min_length=1,
        max_length=MAX_QUERY_LENGTH,
        examples=["invoice total"],
        description=f"Instead: what this search finds in the video, the best {MAX_MOMENTS} results in the order of time.",
    )

    @field_validator("moment")
    @classmethod
    def _are_ranges(cls, values: list[str]) -> list[str]:
        for value in values:
            found = _FORM.fullmatch(value)
            if found is None or not int(found[1]) < int(found[2]) <= LATEST_MS:
                raise ValueError("name start and end in ms, such as 1500-3000")
        return values

    @model_validator(mode="after")
    def _is_one_way(self) -> Self:
        if bool(self.moment) == (self.q is not None):
            raise ValueError("name either moments or a search (q)")
        return self

    def chosen(self) -> list[VideoMoment]:
        return [VideoMoment(*map(int, value.split("-"))) for value in dict.fromkeys(self.moment)]


@router.get(
    "/moments.zip",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {"example": "PK…"}}, "description": "Pictures, texts, manifest."}},
)
async def moments_zip(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, query: Annotated[MomentsQuery, Query()]
) -> StreamingResponse:
    """Chosen moments of a COMPLETED video, or all that a search finds in it: a picture and the text of each, and
    `manifest.json`."""
    async with platform.database.as_caller(caller.claims()) as tx:
        video = await need_video(tx, video_id)
    if video.status is not VideoStatus.COMPLETED:
        raise Conflict(f"video {video_id} is {video.status}, not COMPLETED", details={"status": video.status})
    moments = query.chosen() if query.q is None else await _found(platform, caller, video_id, query.q)
    if not moments:
        raise NotFound(f"nothing in this video matches {query.q!r}", code="NO_MOMENTS")
    about = {"video_id": str(video.id), "name": video.name, "query": query.q, "created_at": iso_utc(utc_now())}
    content = moments_archive(
        platform.objects,
        await list_frames(platform.objects, video_id),
        moments,
        partial(_texts, platform, caller, video_id),
        about,
    )
    name = export_file_name(video.name, ExportOptions("json")).removesuffix(".json")
    headers = {
        "content-disposition": attachment_disposition(f"{name} moments.zip"),
        "cache-control": "private, no-store",
    }
    return StreamingResponse(content, media_type="application/zip", headers=headers)


async def _found(platform: Platform, caller: Caller, video_id: UUID, q: str) -> list[VideoMoment]:
    found: list[VideoMoment] = []
    for page in range(1, MAX_MOMENTS // SEARCH_PAGE + 1):
        request = SearchRequest(q, filters=SearchFilter(video_id=video_id), page=page, page_size=SEARCH_PAGE)
        async with platform.database.as_caller(caller.claims()) as tx:
            results = await search_segments(tx, request)
        found += [VideoMoment(hit.row.t_start, max(hit.row.t_end, hit.row.t_start + 1)) for hit in results.hits]
        if len(results.hits) < SEARCH_PAGE:
            break
    return sorted(set(found), key=lambda moment: (moment.start_ms, moment.end_ms))


async def _texts(platform: Platform, caller: Caller, video_id: UUID, moment: VideoMoment) -> list[dict[str, Any]]:
    async with platform.database.as_caller(caller.claims()) as tx:
        segments = await read_page(
            tx, video_id, from_ms=moment.start_ms, until_ms=moment.end_ms, limit=MAX_TEXTS_OF_MOMENT
        )
    return [
        {"kind": one.kind, "text": one.text, "t_start": one.t_start, "t_end": one.t_end, "language": one.language}
        for one in segments
    ]
