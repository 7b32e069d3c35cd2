"""Share links over HTTP: the owner of a video and operators create, list and revoke them."""

import re
from datetime import timedelta
from typing import Annotated, Self
from uuid import UUID, uuid4

import structlog
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sightline.api.answers.shares import EXAMPLE_SHARE_ID, ShareAnswer, SharesAnswer
from sightline.api.clips import LATEST_MS, check_clip_request
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.videos import need_own_video
from sightline.bootstrap import Platform
from sightline.contracts.jobs import ClipGenerate
from sightline.contracts.values import Name
from sightline.db import Transaction
from sightline.errors import Conflict, InvalidInput, NotAllowed, NotFound, PermanentFailure
from sightline.media.clips import ClipStatus, insert_clip, need_clip
from sightline.paging import Cursor, page_of
from sightline.shares import (
    NewShare,
    Share,
    ShareToken,
    insert_share,
    list_shares,
    new_token,
    revoke_share,
    sealed_tokens,
)
from sightline.timing import utc_now
from sightline.videos import Video

MAX_LISTED = 200
MAX_EMBED_ORIGINS = 10
DEFAULT_HOURS = 7 * 24
_ORIGIN = re.compile(r"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(?::[0-9]{1,5})?")
_EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")
_STEM = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")

log = structlog.get_logger(__name__)
router = APIRouter(prefix="/api/shares", tags=["shares"])


class NewShareBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    video_id: UUID = Field(examples=[_EXAMPLE_VIDEO])
    clip_id: str | None = Field(
        None, min_length=1, max_length=200, examples=[None], description="Share this clip of the video."
    )
    start_ms: int | None = Field(
        None, ge=0, le=LATEST_MS, examples=[61_500], description="Share the part of the video from here …"
    )
    end_ms: int | None = Field(None, gt=0, le=LATEST_MS, examples=[75_000], description="… to here.")
    exact: bool = Field(
        False,
        examples=[False],
        description="Cut the part as a clip, exact to the frame. Otherwise a viewer who tries can see a few seconds around it: "
        "the stream is sent in whole segments.",
    )
    title: Name | None = Field(
        None, examples=["Quarterly results"], description="Unset: the name of the video or clip."
    )
    expires_in_hours: int = Field(DEFAULT_HOURS, ge=1, le=24 * 3650, examples=[168])
    with_text: bool = Field(True, examples=[True], description="Show captions of text on screen and speech.")
    embed_origins: list[str] = Field(
        default_factory=list,
        max_length=MAX_EMBED_ORIGINS,
        examples=[["https://intranet.example"]],
        description="Origins whose pages may show the player in a frame; `*` is any. Empty: none.",
    )

    @field_validator("embed_origins")
    @classmethod
    def _are_origins(cls, values: list[str]) -> list[str]:
        for value in values:
            if value != "*" and not _ORIGIN.fullmatch(value):
                raise ValueError("name origins such as https://intranet.example, without a path, or *")
        return values

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if (self.start_ms is None) != (self.end_ms is None):
            raise ValueError("start_ms and end_ms belong together")
        if self.clip_id is not None and self.start_ms is not None:
            raise ValueError("share either a clip or a part of the video")
        if self.start_ms is not None and self.end_ms is not None and self.end_ms <= self.start_ms:
            raise ValueError("end_ms must be after start_ms")
        if self.exact and self.start_ms is None:
            raise ValueError("exact needs start_ms and end_ms")
        return self


@router.post("", status_code=201)
async def new_share(platform: CurrentPlatform, caller: CurrentCaller, body: NewShareBody) -> ShareAnswer:
    """Create a link that shows a video, a part of it or a clip to everyone who holds it, until it expires or is revoked.
    The owner of the video and operators can."""
    settings = platform.settings.shares
    if not settings.enabled:
        raise NotAllowed("Share links are turned off here (SIGHTLINE_SHARES_ENABLED)")
    if body.expires_in_hours > settings.max_days * 24:
        raise InvalidInput(f"expires_in_hours: a link can be valid for {settings.max_days} days at most")
    video = await need_own_video(platform, caller, body.video_id)
    token = new_token()
    sealed = platform.sealing.seal({"token": token.text})
    async with platform.database.transaction() as tx:
        new = await _checked(tx, platform, video, body, created_by=caller.user_id)
        share = await insert_share(tx, new, token, sealed_token=sealed)
    log.info("share.created", share_id=str(share.id), video_id=str(video.id))
    return ShareAnswer.of(share, _url(platform, token))


@router.get("")
async def shares(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    video_id: Annotated[UUID | None, Query(description="Only of this video.", examples=[_EXAMPLE_VIDEO])] = None,
    with_ended: Annotated[bool, Query(description="Expired and revoked links as well.", examples=[False])] = False,
    of_everyone: Annotated[bool, Query(description="For operators: links of all people.", examples=[False])] = False,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED, description="Maximum number of links.", examples=[50])] = 50,
    cursor: Annotated[
        str | None,
        Query(
            max_length=100,
            description="From `next_cursor`.",
            examples=[f"2026-01-17T10:00:00+00:00_{EXAMPLE_SHARE_ID}"],
        ),
    ] = None,
) -> SharesAnswer:
    """Links to the videos that the caller may change, newest first."""
    if of_everyone and not caller.is_operator:
        raise NotAllowed("Only operators can see the links of others")
    before = None if cursor is None else Cursor.parse(cursor, UUID)
    database = platform.database
    async with database.transaction() if of_everyone else database.as_caller(caller.claims()) as tx:
        found = await list_shares(
            tx,
            # Not those of teams in which the caller is a viewer: a link lasts longer than a membership may.
            owner_ids=None if of_everyone else caller.owner_ids,
            video_id=video_id,
            with_ended=with_ended,
            limit=limit + 1,
            before=before,
        )
    page = page_of(found, limit, lambda share: Cursor(share.created_at, share.id))
    async with database.transaction() as tx:
        sealed = await sealed_tokens(tx, [share.id for share in page.items])
    answers = [ShareAnswer.of(share, _url_again(platform, share, sealed.get(share.id))) for share in page.items]
    return SharesAnswer(shares=answers, next_cursor=page.next_cursor)


@router.delete("/{share_id}")
async def end_share(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    share_id: Annotated[UUID, Path(description="The link's id.", examples=[EXAMPLE_SHARE_ID])],
) -> ShareAnswer:
    """Revoke a link: from now on it shows nothing, also where it is being watched. Operators can revoke anyone's."""
    async with platform.database.transaction() as tx:
        owner_ids = None if caller.is_operator else caller.owner_ids
        share = await revoke_share(tx, share_id, owner_ids=owner_ids, by=caller.user_id)
    log.info("share.revoked", share_id=str(share_id))
    return ShareAnswer.of(share, None)


async def _checked(
    tx: Transaction, platform: Platform, video: Video, body: NewShareBody, *, created_by: UUID
) -> NewShare:
    """What is shared exists and can be played."""
    expires_at = utc_now() + timedelta(hours=body.expires_in_hours)
    name, clip_id, start_ms, end_ms = (
        video.name.rpartition(".")[0] or video.name,
        body.clip_id,
        body.start_ms,
        body.end_ms,
    )
    if clip_id is not None:
        clip = await need_clip(tx, clip_id)
        if clip.video_id != video.id:
            raise NotFound(f"no clip {clip_id}", code="CLIP_NOT_FOUND")
        if clip.status in (ClipStatus.FAILED, ClipStatus.EXPIRED):
            raise Conflict(f"clip {clip_id} is {clip.status}; create it again to share it")
        name = clip.name or name
    elif video.s3_proxy_path is None:
        raise Conflict(f"video {video.id} is {video.status} and cannot be played yet", details={"status": video.status})
    if start_ms is not None and end_ms is not None:
        duration_ms = video.measured_duration_ms
        if duration_ms is not None and start_ms >= duration_ms:
            raise InvalidInput(f"start_ms: the video ends at {duration_ms} ms")
        end_ms = end_ms if duration_ms is None else min(end_ms, duration_ms)
        if body.exact:
            clip_id, start_ms, end_ms = await _cut(tx, platform, video, start_ms, end_ms, created_by), None, None
    return NewShare(
        video_id=video.id,
        owner_id=video.owner_id,
        created_by=created_by,
        title=body.title or (_STEM.sub(" ", name).strip()[:100] or "Video"),
        expires_at=expires_at,
        with_text=body.with_text,
        clip_id=clip_id,
        start_ms=start_ms,
        end_ms=end_ms,
        embed_origins=tuple(dict.fromkeys(body.embed_origins)),
    )


async def _cut(tx: Transaction, platform: Platform, video: Video, start_ms: int, end_ms: int, created_by: UUID) -> str:
    """Requests the clip of a moment; the link waits for it."""
    check_clip_request(video, start_ms, end_ms, 0, longest_s=platform.settings.media.clip_max_s)
    payload = ClipGenerate(
        video_id=video.id,
        clip_id=str(uuid4()),
        t_start=start_ms,
        t_end=end_ms,
        padding_ms=0,
        s3_original_path=video.s3_original_path,
    )
    await insert_clip(tx, payload, created_by=created_by)
    await platform.jobs.enqueue(tx, payload)
    return payload.clip_id


def _url(platform: Platform, token: ShareToken) -> str:
    return f"{platform.public_url}/s/{token.text}"


def _url_again(platform: Platform, share: Share, sealed: bytes | None) -> str | None:
    if sealed is None or not share.is_active(utc_now()):
        return None
    try:
        return _url(platform, ShareToken(str(platform.sealing.unseal(sealed)["token"])))
    except PermanentFailure:
        return None
