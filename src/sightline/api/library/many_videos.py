"""Requests that concern several videos at once."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sightline.api.dependencies import CurrentPlatform
from sightline.api.videos import EXAMPLE_ID, may_change, not_changeable
from sightline.contracts import Caller
from sightline.videos import Video, read_videos, unknown_video

MAX_VIDEOS = 500


class ManyVideos(BaseModel):
    model_config = ConfigDict(extra="forbid")

    video_ids: list[UUID] = Field(min_length=1, max_length=MAX_VIDEOS, examples=[[EXAMPLE_ID]])

    @field_validator("video_ids")
    @classmethod
    def _each_once(cls, ids: list[UUID]) -> list[UUID]:
        return list(dict.fromkeys(ids))


async def need_videos(platform: CurrentPlatform, caller: Caller, ids: list[UUID]) -> list[Video]:
    """All of them, or `NotFound` for the first that the caller may not see."""
    async with platform.database.as_caller(caller.claims()) as tx:
        found = await read_videos(tx, ids)
    known = {video.id for video in found}
    for video_id in ids:
        if video_id not in known:
            raise unknown_video(video_id)
    return found


async def need_own_videos(platform: CurrentPlatform, caller: Caller, ids: list[UUID]) -> list[Video]:
    """All of them, if the caller may change each."""
    found = await need_videos(platform, caller, ids)
    for video in found:
        if not may_change(video, caller):
            raise not_changeable(video)
    return found
