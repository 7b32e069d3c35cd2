"""Store of API keys."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.access.api_key import ApiKey, KeyText
from sightline.access.rights import memberships_from
from sightline.db import Transaction, load_queries
from sightline.errors import Conflict, NotFound
from sightline.paging import Cursor

MAX_ACTIVE_KEYS = 100

_sql = load_queries(Path(__file__).with_name("keys.sql"))


async def insert_key(
    tx: Transaction,
    key: KeyText,
    *,
    name: str,
    scopes: frozenset[str],
    owner_id: UUID,
    owner_email: str | None,
    team_ids: Sequence[UUID],
    expires_at: datetime | None,
) -> ApiKey:
    await _sql["lock_owner"].run(tx, owner_id=owner_id)
    row = await _sql["insert"].row(
        tx,
        key_id=key.key_id,
        secret_hash=key.hash(),
        name=name,
        scopes=sorted(scopes),
        owner_id=owner_id,
        owner_email=owner_email,
        team_ids=list(team_ids),
        expires_at=expires_at,
        max_keys=MAX_ACTIVE_KEYS,
    )
    if row is None:
        raise Conflict(f"{MAX_ACTIVE_KEYS} keys are active; revoke one that is no longer used")
    return _key(row)


async def keys_with_hashes(tx: Transaction, key_ids: Sequence[str]) -> dict[str, tuple[ApiKey, bytes]]:
    rows = await _sql["of_ids"].rows(tx, key_ids=list(set(key_ids)))
    return {
        row["key_id"]: (replace(_key(row), memberships=memberships_from(row["memberships"])), row["secret_hash"])
        for row in rows
    }


async def list_keys(
    tx: Transaction, *, owner_id: UUID | None, with_revoked: bool, limit: int, after: Cursor[str] | None = None
) -> list[ApiKey]:
    """Newest first; of everyone if no owner is named and the transaction may see them."""
    rows = await _sql["page"].rows(
        tx,
        owner_id=owner_id,
        with_revoked=with_revoked,
        after_at=after and after.at,
        after_id=after and after.id,
        limit=limit,
    )
    return [_key(row) for row in rows]


async def revoke_key(tx: Transaction, key_id: str, *, owner_id: UUID | None, by: UUID | None) -> ApiKey:
    """Without an owner any key, for operators."""
    row = await _sql["revoke"].row(tx, key_id=key_id, owner_id=owner_id, by=by)
    if row is None:
        raise NotFound(f"no API key {key_id}")
    return _key(row)


async def active_key_ids(tx: Transaction, key_ids: Iterable[str]) -> set[str]:
    return {row["key_id"] for row in await _sql["active_ids"].rows(tx, key_ids=list(key_ids))}


async def note_key_uses(tx: Transaction, uses: Mapping[str, datetime]) -> None:
    # In one order, so that two processes that note the same keys do not wait for each other.
    ordered = sorted(uses.items())
    await _sql["note_uses"].run(tx, key_ids=[key for key, _ in ordered], times=[at for _, at in ordered])


def _key(row: asyncpg.Record) -> ApiKey:
    return ApiKey(
        key_id=row["key_id"],
        name=row["name"],
        scopes=frozenset(row["scopes"]),
        owner_id=row["owner_id"],
        owner_email=row["owner_email"],
        team_ids=tuple(row["team_ids"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
        revoked_at=row["revoked_at"],
    )
