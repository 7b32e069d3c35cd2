"""People and objects in a video: looking for them, and what was found."""

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from fastapi import APIRouter, Body, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.jobs import JobAnswer
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.picture_urls import picture_url
from sightline.api.video_actions import RUNNING
from sightline.api.videos import EXAMPLE_ID, VideoId, need_own_video
from sightline.cameras.detect import NOT_INSTALLED, VideoTrack, tracks_of_video
from sightline.contracts.jobs import Detect
from sightline.contracts.values import Moment, Name
from sightline.errors import Conflict, InvalidInput
from sightline.jobs import latest_of_videos, need_job
from sightline.security import need_camera, normalize_camera_id
from sightline.videos import lock_video, need_video

router = APIRouter(prefix="/api/videos/{video_id}", tags=["videos"])


class DetectBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    camera_id: Name | None = Field(
        None,
        examples=["front_door"],
        description="Treat the video as a recording of this camera: its zones, masks and lines apply, and what is found "
        "becomes its detections and events.",
    )
    started_at: Moment | None = Field(
        None,
        examples=["2026-04-17T10:00:00Z"],
        description="When the recording began; with `camera_id`. Unset: when the video was added.",
    )
    looks_per_s: float = Field(
        3, ge=0.2, le=10, allow_inf_nan=False, examples=[3], description="Pictures per second while something moves."
    )


class VideoTrackAnswer(BaseModel):
    track_id: UUID = Field(examples=[EXAMPLE_ID])
    label: str = Field(examples=["person"])
    label_share: float = Field(examples=[0.95], description="The part of all looks that agreed on the label.")
    score: float = Field(examples=[0.91], description="The best score of all looks.")
    t_start: int = Field(examples=[1200], description="Media time in ms at which it is first seen.")
    t_end: int = Field(examples=[8400])
    best_ms: int = Field(examples=[4200], description="Media time in ms of the thumbnail.")
    boxes: list[list[float]] = Field(
        examples=[[[1200, 0.1, 0.3, 0.1, 0.4], [8400, 0.8, 0.3, 0.1, 0.4]]],
        description="[ms, x, y, width, height], from 0 to 1 of the picture; between two of them it moves evenly.",
    )
    direction: str | None = Field(examples=["right"], description="Where it moved at last, as seen in the picture.")
    behaviours: list[dict[str, Any]] = Field(
        examples=[[{"kind": "entered_zone", "zone": "Porch", "t_ms": 3000}]], description="What it did, and when."
    )
    thumbnail_url: str | None = Field(examples=[None], description="A signed URL, valid for an hour.")

    @classmethod
    def of(cls, track: VideoTrack, thumbnail_url: str | None) -> Self:
        return cls(
            track_id=track.track_id,
            label=track.label,
            label_share=round(track.label_share, 4),
            score=round(track.score, 4),
            t_start=track.t_start,
            t_end=track.t_end,
            best_ms=track.best_ms,
            boxes=[list(box) for box in track.boxes],
            direction=track.direction,
            behaviours=list(track.behaviours),
            thumbnail_url=thumbnail_url,
        )


class VideoTracksAnswer(BaseModel):
    tracks: list[VideoTrackAnswer]
    next_cursor: str | None = Field(
        examples=[None], description="Pass it as `cursor` to get the next page; null at the end."
    )


Detecting = Annotated[DetectBody | None, Body(examples=[{"looks_per_s": 2}])]


@router.post("/detect", status_code=202)
async def detect(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, body: Detecting = None
) -> JobAnswer:
    """Look for people and objects in a video. What was found before is replaced when the job is done."""
    wanted = body or DetectBody()
    if platform.detector is None:
        raise Conflict(NOT_INSTALLED)
    video = await need_own_video(platform, caller, video_id)
    video.need_original()
    if video.status.is_before_uploaded:
        raise Conflict("The video has not been uploaded yet; try again when it is")
    payload = Detect(
        video_id=video_id,
        looks_per_s=wanted.looks_per_s,
        camera_key=await _camera_key(platform, caller, wanted),
        started_at=_started_at(wanted),
    )
    async with platform.database.transaction() as tx:
        await lock_video(tx, video_id)  # another request that asks for the same waits, and finds this one's job
        latest = (await latest_of_videos(tx, [video_id], (Detect.job_type,))).get(video_id, {}).get(Detect.job_type)
        if latest is not None and latest.status in RUNNING:
            raise Conflict("People and objects are being looked for already")
        queued = await platform.jobs.enqueue(tx, payload)
        return JobAnswer.of(await need_job(tx, queued.id))


@router.get("/tracks")
async def tracks(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    video_id: VideoId,
    limit: Annotated[int, Query(ge=1, le=500, description="Maximum number of results.", examples=[200])] = 200,
    cursor: Annotated[
        str | None,
        Query(
            max_length=60,
            pattern=r"^\d{1,10}~[0-9a-f-]{36}$",
            description="`next_cursor` of the previous page.",
            examples=["12400~a1b2c3d4-e5f6-7890-abcd-ef1234567890"],
        ),
    ] = None,
) -> VideoTracksAnswer:
    """People and objects that were found in a video, in the order in which they appear."""
    await need_video(tx, video_id)
    found = await tracks_of_video(tx, video_id, after=_read_cursor(cursor), limit=limit + 1)
    shown = found[:limit]
    answers = [VideoTrackAnswer.of(track, await picture_url(platform.objects, track.thumbnail_key)) for track in shown]
    following = f"{shown[-1].t_start}~{shown[-1].track_id}" if len(found) > len(shown) else None
    return VideoTracksAnswer(tracks=answers, next_cursor=following)


async def _camera_key(platform: CurrentPlatform, caller: CurrentCaller, wanted: DetectBody) -> UUID | None:
    if wanted.camera_id is None:
        return None
    async with platform.database.as_caller(caller.claims()) as tx:
        return (await need_camera(tx, normalize_camera_id(wanted.camera_id))).camera_key


def _started_at(wanted: DetectBody) -> datetime | None:
    if wanted.started_at is not None and wanted.camera_id is None:
        raise InvalidInput("started_at: only the recording of a camera has a beginning; give camera_id too")
    return wanted.started_at


def _read_cursor(text: str | None) -> tuple[int, UUID] | None:
    if text is None:
        return None
    start, _, track_id = text.partition("~")
    try:
        return min(int(start), 2**31 - 1), UUID(track_id)
    except ValueError:
        raise InvalidInput("Invalid cursor") from None
