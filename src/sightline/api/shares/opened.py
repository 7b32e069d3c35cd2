"""What a share link opens: the token is checked in the database with each request, so that a revoked link ends at once."""

from dataclasses import dataclass

from fastapi import Request

from sightline.api.auth.rate_limit import RateLimit
from sightline.api.edge import address_key
from sightline.bootstrap import Platform
from sightline.errors import NotFound
from sightline.media.clips import VideoClip, need_clip
from sightline.shares import Share, SharesSettings, find_active_share, read_token
from sightline.videos import Video, get_video


class ShareLimits:
    """Requests by client address; those with unknown tokens have a limit of their own."""

    def __init__(self, settings: SharesSettings) -> None:
        self.requests = RateLimit(settings.requests_per_minute)
        self.unknown = RateLimit(settings.unknown_per_minute)


@dataclass(frozen=True, slots=True)
class OpenedShare:
    share: Share
    video: Video
    clip: VideoClip | None


async def open_share(request: Request, platform: Platform, token_text: str) -> OpenedShare:
    """Raises `NotFound`, with the same words whatever is wrong with the link."""
    limits: ShareLimits = request.app.state.share_limits
    client = request.scope.get("client")
    address = address_key(client[0]) if client else ""
    limits.requests.take(address)
    found = await _find(platform, token_text)
    if found is None:
        limits.unknown.take(address)
        raise NotFound("This link doesn't work: it has expired, was revoked, or is incomplete", code="SHARE_NOT_FOUND")
    return found


async def is_open(platform: Platform, token_text: str) -> bool:
    return await _find(platform, token_text) is not None


async def _find(platform: Platform, token_text: str) -> OpenedShare | None:
    token = read_token(token_text)
    if token is None or not platform.settings.shares.enabled:
        return None
    async with platform.database.transaction() as tx:
        share = await find_active_share(tx, token)
        video = None if share is None else await get_video(tx, share.video_id)
        if share is None or video is None or video.trashed_at is not None:
            return None
        clip = None if share.clip_id is None else await need_clip(tx, share.clip_id)
    return OpenedShare(share, video, clip)
