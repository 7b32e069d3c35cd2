"""Reels: chosen parts of a video, one after another in one file."""

from typing import Self
from uuid import uuid4

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.clips import LATEST_MS, ClipAnswer, check_clip_length, need_cuttable
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId, need_may_cut
from sightline.contracts.jobs import ClipCaptions, ClipGenerate, ClipPart
from sightline.contracts.values import Name
from sightline.media.clips import insert_clip, part_spans
from sightline.videos import need_video

router = APIRouter(prefix="/videos/{video_id}/reels", tags=["clips"])

MAX_PARTS = 200


class ReelPartBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    t_start: int = Field(ge=0, le=LATEST_MS, examples=[83_000], description="In ms of the video's time.")
    t_end: int = Field(gt=0, le=LATEST_MS, examples=[105_500])
    caption: str = Field("", max_length=300, examples=["Scissor Sweep · athlete in blue"])

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> Self:
        if self.t_end <= self.t_start:
            raise ValueError("t_end must be after t_start")
        return self


class ReelRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    parts: list[ReelPartBody] = Field(min_length=1, max_length=MAX_PARTS, description="Shown in this order.")
    padding_ms: int = Field(0, ge=0, le=60_000, examples=[500], description="Added before and after each part.")
    name: Name | None = Field(None, examples=["Sweeps"], description="The file is downloaded under it.")
    captions: ClipCaptions = Field(
        "none",
        examples=["burned"],
        description="Shows the caption of each part. `soft`: a track that players can show. `burned`: part of the picture.",
    )


@router.post("", status_code=202)
async def ask_reel(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, asked: ReelRequest
) -> ClipAnswer:
    """Create a reel. It is a clip: poll `GET /clips/{clip_id}` until it is done; it is listed with the video's clips."""
    async with platform.database.as_caller(caller.claims()) as tx:
        video = await need_video(tx, video_id)
    need_may_cut(video, caller)
    need_cuttable(video)
    parts = tuple(ClipPart(t_start=one.t_start, t_end=one.t_end, caption=one.caption) for one in asked.parts)
    spans = part_spans(parts, asked.padding_ms, video.measured_duration_ms)
    check_clip_length(sum(span.length_s for span in spans), longest_s=platform.settings.media.clip_max_s)
    payload = ClipGenerate(
        video_id=video.id,
        clip_id=str(uuid4()),
        t_start=min(part.t_start for part in parts),
        t_end=max(part.t_end for part in parts),
        padding_ms=asked.padding_ms,
        s3_original_path=video.s3_original_path,
        captions=asked.captions,
        parts=parts,
    )
    async with platform.database.transaction() as tx:
        clip = await insert_clip(tx, payload, created_by=caller.user_id, name=asked.name)
        await platform.jobs.enqueue(tx, payload)
    return ClipAnswer.of(clip)
