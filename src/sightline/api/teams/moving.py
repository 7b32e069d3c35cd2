"""Videos that move into a team, to another one, or out of it."""

from uuid import UUID

import structlog
from fastapi import APIRouter
from pydantic import ConfigDict, Field

from sightline.api.answers.teams import EXAMPLE_ID, MovedAnswer, MovedVideosAnswer
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.library.many_videos import ManyVideos
from sightline.api.teams.next_owner import counting_for_next_owner
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.errors import Conflict, NotAllowed, NotFound, QuotaExceeded
from sightline.teams import move_video
from sightline.videos import need_video

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/videos", tags=["library"])


class MoveBody(ManyVideos):
    model_config = ConfigDict(extra="forbid")

    team_id: UUID | None = Field(examples=[EXAMPLE_ID], description="The team to move them to; null: to the caller.")


@router.post("/move")
async def move_videos(platform: CurrentPlatform, caller: CurrentCaller, body: MoveBody) -> MovedVideosAnswer:
    """Move videos, each by itself, with everything that was computed from them; their signed URLs end. Owners of the team that has
    a video can, who uploaded it can, and the owner of a video of their own. Each counts towards the quotas of its new owner."""
    return MovedVideosAnswer(
        results=[await _move(platform, caller, video_id, body.team_id) for video_id in body.video_ids]
    )


async def _move(platform: Platform, caller: Caller, video_id: UUID, team_id: UUID | None) -> MovedAnswer:
    try:
        async with platform.database.as_caller(caller.claims()) as tx:
            await need_video(tx, video_id)
        on_change = await counting_for_next_owner(platform, video_id)
        async with platform.database.transaction() as tx:
            await move_video(tx, platform.live, video_id, team_id, by=caller, on_change=on_change)
    except (NotFound, Conflict) as error:
        return MovedAnswer(video_id=video_id, is_done=False, code=error.code, message=error.message)
    except NotAllowed as error:
        return MovedAnswer(video_id=video_id, is_done=False, code="FORBIDDEN", message=error.message)
    except QuotaExceeded as error:
        return MovedAnswer(video_id=video_id, is_done=False, code="QUOTA_EXCEEDED", message=error.message)
    # Whoever could see it before may hold addresses of it.
    await platform.objects.revoke_urls(video_id)
    log.info("video.owner_changed", video_id=str(video_id), team_id=None if team_id is None else str(team_id))
    return MovedAnswer(video_id=video_id, is_done=True)
