"""Clips: time ranges of a video, cut from the original."""

import re
from typing import Annotated, Self
from uuid import UUID, uuid4

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId, need_may_cut
from sightline.contracts.jobs import CaptionKind, ClipCaptions, ClipGenerate
from sightline.contracts.values import Name
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.media.clips import ClipStatus, VideoClip, clip_span, insert_clip, list_clips, need_clip
from sightline.paging import Cursor, page_of
from sightline.timing import iso_utc
from sightline.videos import Video, need_video

LATEST_MS = 7 * 24 * 3600 * 1000
"""No video is longer; a larger number is a mistake of the caller."""

router = APIRouter(tags=["clips"])

_EXAMPLE_ID = "0b8f4a52-63a5-4f0e-9d0a-1a2b3c4d5e6f"
_EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
_CLIP_ID = re.compile(r"[A-Za-z0-9._-]{1,200}")


class ClipRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    video_id: UUID = Field(examples=[_EXAMPLE_VIDEO])
    t_start: int = Field(ge=0, le=LATEST_MS, examples=[1500], description="In ms of the video's time.")
    t_end: int = Field(gt=0, le=LATEST_MS, examples=[3000], description="In ms of the video's time.")
    padding_ms: int = Field(2000, ge=0, le=600_000, examples=[2000], description="Added before and after.")
    name: Name | None = Field(None, examples=["Quarterly results"], description="The file is downloaded under it.")
    captions: ClipCaptions = Field(
        "none",
        examples=["soft"],
        description="`soft`: a track that players can show. `burned`: part of the picture, for players and sites without captions.",
    )
    caption_kind: CaptionKind = Field(
        "both", examples=["speech"], description="What the captions show: `text` on screen, `speech`, or both."
    )

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> Self:
        if self.t_end <= self.t_start:
            raise ValueError("t_end must be after t_start")
        return self


class ClipAnswer(BaseModel):
    name: str | None = Field(None, examples=["Quarterly results"])
    captions: ClipCaptions = Field("none", examples=["soft"])
    caption_kind: CaptionKind = Field("both", examples=["speech"], description="What the captions show.")
    clip_id: str = Field(examples=[_EXAMPLE_ID])
    video_id: UUID = Field(examples=[_EXAMPLE_VIDEO])
    status: str = Field(examples=["done"])
    t_start: int = Field(examples=[1500])
    t_end: int = Field(examples=[3000])
    padding_ms: int = Field(examples=[2000])
    start_ms: int | None = Field(
        None, examples=[0], description="Actual start of the clip: padded, and within the video."
    )
    end_ms: int | None = Field(None, examples=[5000])
    s3_path: str | None = Field(None, examples=[f"videos/clips/{_EXAMPLE_VIDEO}/{_EXAMPLE_ID}.mp4"])
    size_bytes: int | None = Field(None, examples=[812_345])
    url: str | None = Field(None, description="Signed URL to play it; expires.", examples=["https://videos.example/…"])
    download_url: str | None = Field(
        None,
        description="Signed URL to download it; valid for 15 minutes by default.",
        examples=["https://videos.example/…?response-content-disposition=attachment"],
    )
    error_reason: str | None = Field(None, examples=[None])
    parts: int = Field(1, examples=[1], description="Parts that it shows one after another; more than one in a reel.")
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    expires_at: str | None = Field(None, examples=["2026-02-16T10:00:04.000Z"])

    @classmethod
    def of(cls, clip: VideoClip, *, url: str | None = None, download_url: str | None = None) -> Self:
        return cls(
            name=clip.name,
            captions=clip.captions,
            caption_kind=clip.caption_kind,
            clip_id=clip.id,
            video_id=clip.video_id,
            status=clip.status,
            t_start=clip.t_start,
            t_end=clip.t_end,
            padding_ms=clip.padding_ms,
            start_ms=clip.start_ms,
            end_ms=clip.end_ms,
            s3_path=clip.s3_path,
            size_bytes=clip.size_bytes,
            url=url,
            download_url=download_url,
            error_reason=clip.error_reason,
            parts=len(clip.parts) or 1,
            created_at=iso_utc(clip.created_at),
            expires_at=None if clip.expires_at is None else iso_utc(clip.expires_at),
        )


class ClipsAnswer(BaseModel):
    clips: list[ClipAnswer]
    next_cursor: str | None = Field(
        None,
        description="Pass it as `cursor` to get the next page; null at the end.",
        examples=[f"2026-01-17T10:00:00+00:00_{_EXAMPLE_ID}"],
    )


@router.post("/clips", status_code=202)
async def ask_clip(platform: CurrentPlatform, caller: CurrentCaller, asked: ClipRequest) -> ClipAnswer:
    """Create a clip of [t_start − padding, t_end + padding], within the video. Poll it by its id until it is done."""
    async with platform.database.as_caller(caller.claims()) as tx:
        video = await need_video(tx, asked.video_id)
    need_may_cut(video, caller)
    longest_s = platform.settings.media.clip_max_s
    check_clip_request(video, asked.t_start, asked.t_end, asked.padding_ms, longest_s=longest_s)
    payload = ClipGenerate(
        video_id=video.id,
        clip_id=str(uuid4()),
        t_start=asked.t_start,
        t_end=asked.t_end,
        padding_ms=asked.padding_ms,
        s3_original_path=video.s3_original_path,
        captions=asked.captions,
        caption_kind=asked.caption_kind,
    )
    async with platform.database.transaction() as tx:
        clip = await insert_clip(tx, payload, created_by=caller.user_id, name=asked.name)
        await platform.jobs.enqueue(tx, payload)
    return ClipAnswer.of(clip)


@router.get("/clips/{clip_id}")
async def clip(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    clip_id: Annotated[str, Path(description="The clip's id.", examples=[_EXAMPLE_ID])],
) -> ClipAnswer:
    """One clip, with URLs once it is done. 404 if it does not exist or the caller may not see it."""
    if not _CLIP_ID.fullmatch(clip_id):
        raise NotFound(f"no clip {clip_id[:200]!r}", code="CLIP_NOT_FOUND")
    found = await need_clip(tx, clip_id)
    video = await need_video(tx, found.video_id)
    return await _with_addresses(platform, found, video)


@router.get("/videos/{video_id}/clips")
async def clips(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    video_id: VideoId,
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of results.", examples=[20])] = 50,
    cursor: Annotated[
        str | None,
        Query(
            description="`next_cursor` of the previous page.",
            max_length=300,
            examples=[f"2026-01-17T10:00:00+00:00_{_EXAMPLE_ID}"],
        ),
    ] = None,
) -> ClipsAnswer:
    """The newest clips of a video."""
    video = await need_video(tx, video_id)
    before = None if cursor is None else Cursor.parse(cursor, _clip_id)
    found = await list_clips(tx, video_id, limit=limit + 1, before=before)
    page = page_of(found, limit, lambda clip: Cursor(clip.created_at, clip.id))
    answers = [await _with_addresses(platform, one, video) for one in page.items]
    return ClipsAnswer(clips=answers, next_cursor=page.next_cursor)


def check_clip_request(video: Video, t_start: int, t_end: int, padding_ms: int, *, longest_s: float) -> None:
    """Refuses a clip that cannot be cut, or would be too long."""
    need_cuttable(video)
    span = clip_span(t_start, t_end, padding_ms, video.measured_duration_ms)
    check_clip_length(span.length_s, longest_s=longest_s)


def need_cuttable(video: Video) -> None:
    if video.status.is_before_uploaded:
        raise Conflict(
            f"video {video.id} is {video.status}; there is nothing to cut yet", details={"status": video.status}
        )
    video.need_original()


def check_clip_length(length_s: float, *, longest_s: float) -> None:
    if length_s > longest_s:
        raise InvalidInput(f"t_end: the clip would be {length_s:.1f} s long; the limit is {longest_s:.0f} s")


async def _with_addresses(platform: CurrentPlatform, found: VideoClip, video: Video) -> ClipAnswer:
    if found.status is not ClipStatus.DONE or found.s3_path is None:
        return ClipAnswer.of(found)
    settings, objects = platform.settings.media, platform.objects
    stem = f"{video.name.rpartition('.')[0] or video.name} {found.start_ms}-{found.end_ms} ms"
    name = f"{found.name or stem}.mp4"
    return ClipAnswer.of(
        found,
        url=await objects.sign_get(found.s3_path, expires_s=settings.playback_expiry_s),
        download_url=await objects.sign_get(found.s3_path, expires_s=settings.download_expiry_s, download_as=name),
    )


def _clip_id(text: str) -> str:
    if not _CLIP_ID.fullmatch(text):
        raise ValueError(text)
    return text
