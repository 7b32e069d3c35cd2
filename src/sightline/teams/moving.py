"""Videos moved into a team, from one team to another, or out of it to a person."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

from sightline.contracts import Caller
from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotAllowed
from sightline.live import LiveFeed, LiveMessage
from sightline.teams.team_store import role_in_team, unknown_team
from sightline.videos import Video, get_video, to_video, unknown_video

STREAM = "videos"
OWNER_CHANGED = "video.owner_changed"

OwnerChange = Callable[[Transaction, Video, UUID], Awaitable[None]]
"""What goes along with a change of the owner: the video of before, which is locked, and the next owner. Raises to refuse it."""

_sql = load_queries(Path(__file__).with_name("moving.sql"))


async def move_video(
    tx: Transaction,
    feed: LiveFeed,
    video_id: UUID,
    team_id: UUID | None,
    *,
    by: Caller,
    on_change: OwnerChange,
) -> Video:
    """Gives a video to a team, or without one to the caller, who sees it. Teams are locked before videos, as when a member is
    removed, who takes no video along."""
    before = await get_video(tx, video_id)
    if before is None:
        raise unknown_video(video_id)
    source_id = before.team_id if before.is_of_team else None
    for one in sorted({one for one in (source_id, team_id) if one is not None}):
        if await _sql["share_team"].row(tx, team_id=one) is None:
            raise unknown_team(one)
    await _check_source(tx, before, by)
    if team_id is not None:
        await _check_target(tx, team_id, by)
    locked = await _sql["lock_video"].row(tx, video_id=video_id)
    if locked is None:
        raise unknown_video(video_id)
    current = to_video(locked)
    if (current.owner_id, current.team_id, current.trashed_at) != (before.owner_id, before.team_id, None):
        raise Conflict("The video was moved or deleted meanwhile. Reload and try again.")
    owner_id = team_id or by.user_id
    if owner_id != current.owner_id:
        await on_change(tx, current, owner_id)
    uploader, email = await _notified(tx, current, team_id, by)
    row = await _sql["set_owner"].row(
        tx,
        video_id=video_id,
        owner_id=owner_id,
        team_id=team_id,
        uploaded_by=uploader,
        owner_email=email,
    )
    assert row is not None, "the row is locked by this transaction"
    moved = to_video(row)
    if (moved.owner_id, moved.team_id) != (before.owner_id, before.team_id):
        for audience in (before, moved):
            message = LiveMessage(
                STREAM, OWNER_CHANGED, {"videoId": str(video_id)}, owner_id=audience.owner_id, team_id=audience.team_id
            )
            await feed.append(tx, message)
    return moved


async def _check_source(tx: Transaction, video: Video, by: Caller) -> None:
    """Owners take any video out of a team, editors what they uploaded themselves."""
    if by.is_operator or video.owner_id == by.user_id:
        return
    role = await role_in_team(tx, video.owner_id, by.user_id) if video.is_of_team else None
    if role != "owner" and not (role == "editor" and video.uploaded_by == by.user_id):
        raise NotAllowed("Only owners of its team, and who uploaded it, can move this video")


async def _check_target(tx: Transaction, team_id: UUID, by: Caller) -> None:
    role = await role_in_team(tx, team_id, by.user_id)
    if role is None and not by.is_operator:
        raise unknown_team(team_id)
    if role == "viewer" and not by.is_operator:
        raise NotAllowed("Viewers of a team cannot move videos to it. Ask an owner of the team to make you an editor.")


async def _notified(tx: Transaction, video: Video, team_id: UUID | None, by: Caller) -> tuple[UUID | None, str | None]:
    """Who is notified of the video from now on: its uploader if the team has them, otherwise nobody."""
    if team_id is None:
        return None, by.email
    if await role_in_team(tx, team_id, video.person_id) is None:
        return None, None
    return video.person_id, video.owner_email
