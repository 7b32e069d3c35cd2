"""Store of share links. Row level security limits what the transaction's role sees."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound
from sightline.paging import Cursor
from sightline.shares.share import NewShare, Share, ShareToken

MAX_ACTIVE_SHARES = 1000
"""Per owner."""

_sql = load_queries(Path(__file__).with_name("shares.sql"))


async def insert_share(tx: Transaction, new: NewShare, token: ShareToken, *, sealed_token: bytes) -> Share:
    await _sql["lock_owner"].run(tx, owner_id=new.owner_id)
    row = await _sql["insert"].row(
        tx,
        token_hash=token.hash(),
        sealed_token=sealed_token,
        video_id=new.video_id,
        clip_id=new.clip_id,
        owner_id=new.owner_id,
        created_by=new.created_by,
        title=new.title,
        start_ms=new.start_ms,
        end_ms=new.end_ms,
        with_text=new.with_text,
        embed_origins=list(new.embed_origins),
        expires_at=new.expires_at,
        max_shares=MAX_ACTIVE_SHARES,
    )
    if row is None:
        raise Conflict(f"{MAX_ACTIVE_SHARES} links are active; revoke one that is no longer used")
    return _share(row)


async def find_active_share(tx: Transaction, token: ShareToken) -> Share | None:
    """None if there is no such link, or if it was revoked or has expired."""
    row = await _sql["find"].row(tx, token_hash=token.hash())
    return None if row is None else _share(row)


async def list_shares(
    tx: Transaction,
    *,
    owner_ids: Sequence[UUID] | None,
    video_id: UUID | None = None,
    with_ended: bool = False,
    limit: int,
    before: Cursor[UUID] | None = None,
) -> list[Share]:
    """Newest first; without owners, of everyone whose links the transaction may see."""
    rows = await _sql["page"].rows(
        tx,
        owner_ids=None if owner_ids is None else list(owner_ids),
        video_id=video_id,
        with_ended=with_ended,
        before_at=before and before.at,
        before_id=before and before.id,
        limit=limit,
    )
    return [_share(row) for row in rows]


async def sealed_tokens(tx: Transaction, ids: Sequence[UUID]) -> dict[UUID, bytes]:
    """For the platform's own role only: people's role may not read them."""
    return {row["id"]: row["sealed_token"] for row in await _sql["sealed_tokens"].rows(tx, ids=list(ids))}


async def revoke_share(tx: Transaction, share_id: UUID, *, owner_ids: Sequence[UUID] | None, by: UUID) -> Share:
    """Without owners any link, for operators."""
    row = await _sql["revoke"].row(tx, id=share_id, owner_ids=None if owner_ids is None else list(owner_ids), by=by)
    if row is None:
        raise NotFound(f"no share link {share_id}", code="SHARE_NOT_FOUND")
    return _share(row)


async def count_view(tx: Transaction, share_id: UUID) -> None:
    await _sql["count_view"].run(tx, id=share_id)


def _share(row: asyncpg.Record) -> Share:
    return Share(**{**row, "embed_origins": tuple(row["embed_origins"])})
