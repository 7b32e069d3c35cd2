"""Response models of share links."""

from typing import Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.shares import Share
from sightline.timing import iso_utc, utc_now

EXAMPLE_SHARE_ID = UUID("5b0c7a0e-5df2-4f3c-9f0a-6d1c2b3a4f5e")
_EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")


class ShareAnswer(BaseModel):
    share_id: UUID = Field(examples=[EXAMPLE_SHARE_ID])
    video_id: UUID = Field(examples=[_EXAMPLE_VIDEO])
    clip_id: str | None = Field(None, examples=[None])
    what: Literal["video", "moment", "clip"] = Field(examples=["moment"], description="What the link shows.")
    title: str = Field(examples=["Quarterly results"])
    url: str | None = Field(
        examples=["https://videos.example/s/…"],
        description="The link. Null if it cannot be shown again: the secret of the installation was changed.",
    )
    embed_html: str | None = Field(
        None, examples=[None], description="HTML that shows the player in another page; null if no page may."
    )
    start_ms: int | None = Field(None, examples=[61_500], description="Of a moment.")
    end_ms: int | None = Field(None, examples=[75_000])
    with_text: bool = Field(examples=[True], description="Whether captions of text and speech are shown.")
    embed_origins: list[str] = Field(examples=[["https://intranet.example"]])
    is_active: bool = Field(examples=[True])
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    expires_at: str = Field(examples=["2026-01-24T10:00:00.000Z"])
    revoked_at: str | None = Field(None, examples=[None])
    views: int = Field(examples=[3], description="How often it was loaded into a player.")
    last_viewed_at: str | None = Field(None, examples=["2026-01-18T09:30:00.000Z"])

    @classmethod
    def of(cls, share: Share, url: str | None) -> Self:
        what: Literal["video", "moment", "clip"] = "video"
        if share.clip_id is not None:
            what = "clip"
        elif share.start_ms is not None:
            what = "moment"
        return cls(
            share_id=share.id,
            video_id=share.video_id,
            clip_id=share.clip_id,
            what=what,
            title=share.title,
            url=url,
            embed_html=_embed_html(url) if url is not None and share.embed_origins else None,
            start_ms=share.start_ms,
            end_ms=share.end_ms,
            with_text=share.with_text,
            embed_origins=list(share.embed_origins),
            is_active=share.is_active(utc_now()),
            created_at=iso_utc(share.created_at),
            expires_at=iso_utc(share.expires_at),
            revoked_at=None if share.revoked_at is None else iso_utc(share.revoked_at),
            views=share.views,
            last_viewed_at=None if share.last_viewed_at is None else iso_utc(share.last_viewed_at),
        )


class SharesAnswer(BaseModel):
    shares: list[ShareAnswer]
    next_cursor: str | None = Field(
        None,
        description="Pass it as `cursor` to get the next page; null at the end.",
        examples=[f"2026-01-17T10:00:00+00:00_{EXAMPLE_SHARE_ID}"],
    )


def _embed_html(url: str) -> str:
    return (
        f'<iframe src="{url}" width="640" height="420" style="border:0" loading="lazy" '
        'allow="fullscreen" allowfullscreen></iframe>'
    )
