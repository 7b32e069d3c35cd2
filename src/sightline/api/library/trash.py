"""The trash: videos are moved there, restored from it, or deleted for good."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.paged import EXAMPLE_CURSOR, PagedAnswer
from sightline.api.auth.audited_routes import set_audit_targets
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.library.many_videos import ManyVideos, need_own_videos
from sightline.api.videos import EXAMPLE_ID, may_change
from sightline.contracts import Caller
from sightline.contracts.jobs import SegmentIndex
from sightline.db import Transaction
from sightline.paging import Cursor, page_of
from sightline.text import remove_from_index
from sightline.timing import iso_utc
from sightline.videos import (
    Video,
    VideoStatus,
    list_trash,
    move_to_trash,
    need_trashed,
    remove_video,
    restore_videos,
    unknown_video,
)

router = APIRouter(prefix="/api/trash", tags=["library"])


class TrashedVideoAnswer(BaseModel):
    model_config = ConfigDict(frozen=True)

    video_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str = Field(examples=["lecture.mp4"])
    size_bytes: int | None = Field(examples=[1_073_741_824])
    duration_ms: int | None = Field(examples=[61_000])
    trashed_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    removed_at: str = Field(examples=["2026-01-24T10:00:00.000Z"], description="When it is deleted for good.")

    @classmethod
    def of(cls, video: Video, trash_days: float) -> Self:
        assert video.trashed_at is not None
        return cls(
            video_id=video.id,
            name=video.name,
            size_bytes=video.size_bytes,
            duration_ms=video.duration_ms,
            trashed_at=iso_utc(video.trashed_at),
            removed_at=iso_utc(video.trashed_at + timedelta(days=trash_days)),
        )


class TrashAnswer(PagedAnswer):
    videos: list[TrashedVideoAnswer]


@router.get("")
async def trash(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of results.", examples=[20])] = 50,
    cursor: Annotated[
        str | None, Query(description="`next_cursor` of the previous page.", max_length=100, examples=[EXAMPLE_CURSOR])
    ] = None,
) -> TrashAnswer:
    """Videos in the trash that the caller may restore, their own and their teams', the latest first."""
    before = None if cursor is None else Cursor.parse(cursor, UUID)
    async with platform.database.transaction() as tx:
        found = await list_trash(tx, caller.owner_ids, limit=limit + 1, before=before)
    page = page_of(found, limit, lambda video: Cursor(video.trashed_at, video.id) if video.trashed_at else None)
    return TrashAnswer(videos=_answers(platform, page.items), next_cursor=page.next_cursor)


@router.post("")
async def move_videos_to_trash(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, many: ManyVideos
) -> TrashAnswer:
    """Move videos to the trash, all or none. They disappear from lists and searches, their links end, and they can be restored
    until they are deleted for good. For those who may change them."""
    await need_own_videos(platform, caller, many.video_ids)
    async with platform.database.transaction() as tx:
        moved = await move_to_trash(tx, many.video_ids)
        for video in moved:
            await remove_from_index(tx, video.id)
    for video in moved:
        await platform.objects.revoke_urls(video.id)
    _audit(request, many)
    return TrashAnswer(videos=_answers(platform, moved), next_cursor=None)


@router.post("/restore", status_code=204)
async def restore(request: Request, platform: CurrentPlatform, caller: CurrentCaller, many: ManyVideos) -> None:
    """Restore videos from the trash, all or none. Their text is searchable again a moment later."""
    async with platform.database.transaction() as tx:
        await _need_own_trashed(tx, caller, many.video_ids)
        for video in await restore_videos(tx, many.video_ids):
            if video.status is VideoStatus.COMPLETED:
                await platform.jobs.enqueue(tx, SegmentIndex(video_id=video.id))
    _audit(request, many)


@router.post("/delete", status_code=204)
async def delete_for_good(request: Request, platform: CurrentPlatform, caller: CurrentCaller, many: ManyVideos) -> None:
    """Delete videos of the trash now, with all that is stored of them."""
    async with platform.database.transaction() as tx:
        for video in await _need_own_trashed(tx, caller, many.video_ids):
            await remove_video(tx, video.id, store_upload_id=None)
    _audit(request, many)
    await platform.removals.sweep()


async def _need_own_trashed(tx: Transaction, caller: Caller, ids: list[UUID]) -> list[Video]:
    """The same answer for a video that is not in the trash and for one of another owner."""
    found = await need_trashed(tx, ids)
    for video in found:
        if not may_change(video, caller):
            raise unknown_video(video.id)
    return found


def _audit(request: Request, many: ManyVideos) -> None:
    """An entry for each video, as for one that is deleted by itself."""
    set_audit_targets(request.scope, (f"video {video_id}" for video_id in many.video_ids))


def _answers(platform: CurrentPlatform, videos: Sequence[Video]) -> list[TrashedVideoAnswer]:
    return [TrashedVideoAnswer.of(video, platform.settings.retention.trash_days) for video in videos]
