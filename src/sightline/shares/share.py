"""The record of a share link, and the form of its token. Pure."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

ANY_ORIGIN = "*"
_TOKEN_BYTES = 32
_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class ShareToken:
    text: str

    def __repr__(self) -> str:
        return "ShareToken(…)"  # stays out of logs and tracebacks

    def hash(self) -> bytes:
        """One round of SHA-256 is enough for 256 random bits. A link is looked up by it, so that neither an index nor a
        comparison takes longer the more of a token is right."""
        return hashlib.sha256(self.text.encode()).digest()


def new_token() -> ShareToken:
    return ShareToken(secrets.token_urlsafe(_TOKEN_BYTES))


def read_token(text: str) -> ShareToken | None:
    """None if the text does not have the form of a token."""
    return ShareToken(text) if _FORM.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class NewShare:
    """A link to create."""

    video_id: UUID
    owner_id: UUID
    created_by: UUID
    title: str
    expires_at: datetime
    with_text: bool
    clip_id: str | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    embed_origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    id: UUID
    video_id: UUID
    clip_id: str | None
    owner_id: UUID
    created_by: UUID
    title: str
    start_ms: int | None
    end_ms: int | None
    with_text: bool
    embed_origins: tuple[str, ...]
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    views: int
    last_viewed_at: datetime | None

    def is_active(self, now: datetime) -> bool:
        return self.revoked_at is None and now < self.expires_at
