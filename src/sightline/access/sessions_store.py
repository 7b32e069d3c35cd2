"""Store of page sessions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

import asyncpg

from sightline.access.rights import memberships_from
from sightline.contracts import Caller
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("sessions.sql"))


@dataclass(frozen=True, slots=True)
class PageSession:
    session_id: UUID
    caller: Caller
    expires_at: datetime


async def insert_session(
    tx: Transaction, secret_hash: bytes, caller: Caller, expires_at: datetime, sealed_id_token: bytes | None
) -> PageSession:
    row = await _sql["insert"].row(
        tx,
        secret_hash=secret_hash,
        user_id=caller.user_id,
        email=caller.email,
        team_ids=list(caller.team_ids),
        roles=sorted(caller.roles),
        is_email_verified=caller.is_email_verified,
        expires_at=expires_at,
        sealed_id_token=sealed_id_token,
    )
    assert row is not None
    return PageSession(row["session_id"], caller, row["expires_at"])


async def sessions_of(tx: Transaction, hashes: Sequence[bytes], now: datetime) -> dict[bytes, PageSession]:
    rows = await _sql["of_hashes"].rows(tx, hashes=list(set(hashes)), now=now)
    return {row["secret_hash"]: _session(row) for row in rows}


async def open_session_ids(tx: Transaction, session_ids: Iterable[UUID]) -> set[UUID]:
    return {row["session_id"] for row in await _sql["open_ids"].rows(tx, session_ids=list(session_ids))}


async def end_session(tx: Transaction, secret_hash: bytes) -> bytes | None:
    """The sealed ID token of the session, if there was a session and it has one."""
    found: bytes | None = await _sql["end_one"].value(tx, secret_hash=secret_hash)
    return found


async def remove_expired_sessions(tx: Transaction, now: datetime) -> int:
    return await _sql["remove_expired"].run(tx, now=now)


def _session(row: asyncpg.Record) -> PageSession:
    caller = Caller(
        row["user_id"],
        email=row["email"],
        team_ids=tuple(row["team_ids"]),
        roles=frozenset(row["roles"]),
        is_email_verified=row["is_email_verified"],
        memberships=memberships_from(row["memberships"]),
        is_granted_operator=row["is_granted_operator"],
    )
    return PageSession(row["session_id"], caller, row["expires_at"])
