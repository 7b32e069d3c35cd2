"""Videos: list, show, delete."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from sightline.api.auth.caller_videos import CallerVideos
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.contracts import Caller
from sightline.contracts.values import FileName
from sightline.errors import InvalidInput, NotAllowed
from sightline.retention import RetentionSettings, upcoming_removals
from sightline.timing import iso_utc, utc_now
from sightline.uploads import get_upload
from sightline.videos import (
    MAX_DESCRIPTION_LENGTH,
    MAX_TAG_LENGTH,
    MAX_TAGS,
    Video,
    VideoFilter,
    VideoMove,
    VideoOrder,
    VideoStatus,
    clean_description,
    clean_tags,
    find_videos,
    list_moves,
    list_videos,
    need_video,
    remove_video,
    set_details,
)

router = APIRouter(prefix="/videos", tags=["videos"])

EXAMPLE_ID = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
_EXAMPLE_CURSOR = f"2026-01-17T10:00:00+00:00_{EXAMPLE_ID}"
VideoId = Annotated[UUID, Path(description="The video's id.", examples=[EXAMPLE_ID])]


class CamelAnswer(BaseModel):
    """Names as document 004 writes them."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class RemovalAnswer(CamelAnswer):
    part: str = Field(examples=["original"], description="video, original or frames.")
    at: str = Field(examples=["2026-04-17T10:00:00.000Z"])


class SpriteSheetAnswer(CamelAnswer):
    """Picture n of `GET /videos/{video_id}/sprite.jpg` shows the moment n × `intervalMs`, row by row."""

    interval_ms: int = Field(examples=[1000])
    tiles: int = Field(examples=[61], description="Number of pictures.")
    columns: int = Field(examples=[10])
    tile_width: int = Field(examples=[160], description="In pixels.")
    tile_height: int = Field(examples=[90])
    version: str = Field(examples=["3fa1b2c4d5e6"], description="Pass it as `v`, so that browsers can keep the sheet.")


class VideoAnswer(CamelAnswer):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str = Field(examples=["lecture.mp4"])
    status: str = Field(examples=["UPLOADING"])
    index_status: str = Field(examples=["new"])
    error_reason: str | None = Field(None, examples=[None])
    size_bytes: int | None = Field(None, examples=[1_073_741_824])
    duration_ms: int | None = Field(None, examples=[61_000])
    fps: float | None = Field(None, examples=[25.0])
    width: int | None = Field(None, examples=[1920])
    height: int | None = Field(None, examples=[1080])
    media_note: str | None = Field(
        None, examples=[None], description="What to know of the file: that it is cut off and was used up to there."
    )
    description: str | None = Field(None, examples=["The second lecture."])
    tags: list[str] = Field(default_factory=list, examples=[["lectures", "2026"]])
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    updated_at: str = Field(examples=["2026-01-17T10:00:01.000Z"])
    can_change: bool = Field(
        True,
        examples=[True],
        description="Whether the caller may retry, analyze and delete it: its owner, its team but for viewers, and operators.",
    )
    team_id: UUID | None = Field(
        None, examples=[None], description="The team whose members see it; see `isOfTeam` for who owns it."
    )
    is_of_team: bool = Field(
        False, examples=[False], description="Whether it belongs to that team, rather than to a person who shares it."
    )
    original_removed_at: str | None = Field(
        None, examples=[None], description="When a retention rule removed the original."
    )
    frames_removed_at: str | None = Field(
        None, examples=[None], description="When a retention rule removed the key frames."
    )
    has_poster: bool = Field(
        False, examples=[True], description="Whether `GET /videos/{video_id}/poster` leads to one."
    )
    sprite_sheet: SpriteSheetAnswer | None = Field(
        None,
        examples=[None],
        description="Small pictures across the video; null if it has none, as videos of earlier versions.",
    )
    removals: list[RemovalAnswer] = Field(
        default_factory=list, description="What retention rules will remove within the next days, soonest first."
    )

    @classmethod
    def of(cls, video: Video, retention: RetentionSettings, caller: Caller) -> Self:
        upcoming = upcoming_removals(retention, video, now=utc_now())
        return cls(
            video_id=video.id,
            name=video.name,
            status=video.status,
            index_status=video.index_status,
            error_reason=video.error_reason,
            size_bytes=video.size_bytes,
            duration_ms=video.duration_ms,
            fps=video.fps,
            width=video.width,
            height=video.height,
            media_note=video.media_note,
            description=video.description,
            tags=list(video.tags),
            created_at=iso_utc(video.created_at),
            updated_at=iso_utc(video.updated_at),
            can_change=may_change(video, caller),
            team_id=video.team_id,
            is_of_team=video.is_of_team,
            original_removed_at=_time(video.original_removed_at),
            frames_removed_at=_time(video.frames_removed_at),
            has_poster=video.s3_thumb_path is not None,
            sprite_sheet=None if video.sprite_sheet is None else SpriteSheetAnswer(**video.sprite_sheet),
            removals=[RemovalAnswer(part=one.part, at=iso_utc(one.at)) for one in upcoming],
        )


class VideoMoveAnswer(CamelAnswer):
    status: str = Field(examples=["UPLOADED"])
    at: str = Field(examples=["2026-01-17T10:00:01.000Z"])
    reason: str | None = Field(None, examples=[None])

    @classmethod
    def of(cls, move: VideoMove) -> Self:
        return cls(status=move.status, at=iso_utc(move.at), reason=move.reason)


class WholeVideoAnswer(VideoAnswer):
    history: list[VideoMoveAnswer] = Field(default_factory=list, description="Status changes, oldest first.")


class VideosAnswer(CamelAnswer):
    videos: list[VideoAnswer]
    next_cursor: str | None = Field(
        None, description="Pass it as `cursor` to get the next page; null at the end.", examples=[_EXAMPLE_CURSOR]
    )


@router.get("")
async def videos(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    caller: CurrentCaller,
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of results.", examples=[20])] = 50,
    cursor: Annotated[
        str | None, Query(description="`next_cursor` of the previous page.", max_length=300, examples=[_EXAMPLE_CURSOR])
    ] = None,
    sort: Annotated[
        VideoOrder, Query(description="The order; a cursor is valid in its own.", examples=["newest"])
    ] = VideoOrder.NEWEST,
    status: Annotated[
        list[VideoStatus],
        Query(description="Only with one of these statuses; may be repeated.", examples=[["COMPLETED"]]),
    ] = [],  # noqa: B006 - FastAPI copies it
    q: Annotated[
        str,
        Query(
            max_length=200,
            description="Only with words that begin like these in their name, tags or description.",
            examples=["lecture"],
        ),
    ] = "",
    tag: Annotated[
        list[str],
        Query(max_length=MAX_TAGS, description="Only with this tag; may be repeated.", examples=[["lectures"]]),
    ] = [],  # noqa: B006 - FastAPI copies it
    collection: Annotated[
        UUID | None, Query(description="Only in this collection of the caller's.", examples=[EXAMPLE_ID])
    ] = None,
    team: Annotated[
        UUID | None, Query(description="Only of this team; the caller's id: only their own.", examples=[EXAMPLE_ID])
    ] = None,
) -> VideosAnswer:
    """Videos of the caller and the caller's teams, the newest first unless `sort` says otherwise."""
    named = [one.id for one in await find_videos(tx, q.split(), tags=tag)] if q.strip() or tag else None
    wanted = VideoFilter(statuses=status, ids=named, collection_id=collection, owner_id=team)
    page = await list_videos(tx, wanted, limit=limit, cursor=cursor, order=sort)
    rules = platform.settings.retention
    return VideosAnswer(
        videos=[VideoAnswer.of(video, rules, caller) for video in page.items], next_cursor=page.next_cursor
    )


@router.get("/{video_id}")
async def video(
    platform: CurrentPlatform, tx: CallerTransaction, caller: CurrentCaller, video_id: VideoId
) -> WholeVideoAnswer:
    """One video with its history. 404 if it does not exist or the caller may not see it."""
    found = await need_video(tx, video_id)
    history = [VideoMoveAnswer.of(move) for move in await list_moves(tx, video_id)]
    known = VideoAnswer.of(found, platform.settings.retention, caller)
    return WholeVideoAnswer(**known.model_dump(), history=history)


class VideoChanges(BaseModel):
    """What is left out stays."""

    model_config = ConfigDict(extra="forbid")

    name: FileName | None = Field(None, examples=["Lecture 2.mp4"])
    description: str | None = Field(
        None, max_length=2 * MAX_DESCRIPTION_LENGTH, examples=["The second lecture."], description="Null removes it."
    )
    tags: list[Annotated[str, Field(max_length=2 * MAX_TAG_LENGTH)]] | None = Field(
        None, max_length=10 * MAX_TAGS, examples=[["lectures", "2026"]], description="Replaces all tags."
    )


@router.patch("/{video_id}")
async def change(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, changes: VideoChanges
) -> VideoAnswer:
    """Change the name, description or tags of a video. For its owner and operators."""
    await need_own_video(platform, caller, video_id)
    if changes.name is not None and not changes.name.strip():
        raise InvalidInput("name: a video needs a name")
    async with platform.database.transaction() as tx:
        video = await set_details(
            tx,
            video_id,
            name=None if changes.name is None else changes.name.strip(),
            description=clean_description(changes.description),
            keeps_description="description" not in changes.model_fields_set,
            tags=None if changes.tags is None else clean_tags(changes.tags),
        )
    return VideoAnswer.of(video, platform.settings.retention, caller)


@router.delete("/{video_id}", status_code=204)
async def remove(platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId) -> None:
    """Delete a video with its jobs and all stored objects. Running jobs of it end without effect."""
    await need_own_video(platform, caller, video_id)
    async with platform.database.transaction() as tx:
        upload = await get_upload(tx, video_id)
        store_id = upload.store_upload_id if upload is not None and upload.ended_at is None else None
        await remove_video(tx, video_id, store_upload_id=store_id)
    # A job that is still at work may write again before the last sweep; no old address may show that.
    await platform.objects.revoke_urls(video_id)
    await platform.removals.sweep()


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else iso_utc(moment)


def may_change(video: Video, caller: Caller) -> bool:
    """The owner may change; of a team's video, its owners and editors; and operators. Others who see it may read."""
    return video.owner_id in caller.owner_ids or caller.is_operator


def may_cut(video: Video, caller: Caller) -> bool:
    """Whether the caller may make clips of a video that they see: viewers of a team that was made here may not."""
    return caller.role_in(video.owner_id) != "viewer" or caller.is_operator


def need_may_cut(video: Video, caller: Caller) -> None:
    if not may_cut(video, caller):
        raise not_changeable(video)


def not_changeable(video: Video) -> NotAllowed:
    if video.is_of_team:
        return NotAllowed(f"Viewers of a team cannot change its video {video.id}. Ask an owner to make you an editor.")
    return NotAllowed(f"video {video.id} belongs to another member of your team")


async def need_own_video(platform: CurrentPlatform, caller: Caller, video_id: UUID) -> Video:
    """The video, if the caller may change it."""
    async with platform.database.as_caller(caller.claims()) as tx:
        found = await need_video(tx, video_id)
    return _need_change(found, caller)


def _need_change(found: Video, caller: Caller) -> Video:
    if not may_change(found, caller):
        raise not_changeable(found)
    return found


async def need_own_video_of_many(request: Request, caller: Caller, video_id: UUID) -> Video:
    """As `need_own_video`, where a caller makes many requests at once: they are checked together."""
    videos: CallerVideos = request.app.state.caller_videos
    return _need_change(await videos.need(caller, video_id), caller)
